package shop

/** What is for sale. */
case class Item(name: String, cents: Int = 100, tag: Option[String] = None)

/** What a customer has taken. */
class Basket(items: List[Item]):
  /** The basket without what this is true of. */
  def without(unwanted: Item => Boolean): Basket = Basket(items.filterNot(unwanted))

  /** The price of one, in the mean. */
  def mean(least: Int = 0): Int = items.map(_.cents).sum / math.max(items.size, least)

object Basket:
  /** A basket with these in it. */
  def of(items: Item*): Basket = Basket(items.toList)

/** Prices of baskets. */
object Register:
  /** Sums the means. */
  def total(baskets: List[Basket]): Int = baskets.map(_.mean()).sum

/** Runs the program. */
@main def run(): Unit =
  val full = Basket.of(Item("tea"), Item("cup", 250, Some("blue")))
  println(Register.total(List(full)))
  val cheap = full.without(_.cents >= 100)
  println(Register.total(List(full, cheap)))
