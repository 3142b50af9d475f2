package shop

/** What is for sale. */
data class Item(val name: String, val cents: Int = 100, val tags: List<String> = listOf())

/** What a customer has taken. */
class Basket private constructor(private val items: List<Item>) {
    companion object {
        /** A basket with these in it. */
        fun of(vararg items: Item): Basket = Basket(items.toList())
    }

    /** The basket without what this is true of. */
    fun without(unwanted: (Item) -> Boolean): Basket = Basket(items.filterNot(unwanted))

    /** The price of one, in the mean; [least] is what the smallest basket has. */
    fun mean(least: Int = 0): Int = items.sumOf { it.cents } / maxOf(items.size, least)
}

/** Prices of baskets. */
object Register {
    /** Sums the means. */
    fun total(baskets: List<Basket>): Int = baskets.sumOf { it.mean() }
}

/** Runs the program. */
fun main() {
    val full = Basket.of(Item("tea"), Item("cup", 250, listOf("blue")))
    println(Register.total(listOf(full)))
    val cheap = full.without { it.cents >= 100 }
    println(Register.total(listOf(full, cheap)))
}
