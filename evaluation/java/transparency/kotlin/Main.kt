package demo.kotlin

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.filter
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.withContext
import kotlin.properties.Delegates

/** A sealed hierarchy with data classes. */
sealed class Expr {
    data class Num(val value: Int) : Expr()
    data class Sum(val left: Expr, val right: Expr) : Expr()
    data class Product(val left: Expr, val right: Expr = Num(2)) : Expr()
    object Nothing : Expr()
}

fun eval(expr: Expr): Int = when (expr) {
    is Expr.Num -> expr.value
    is Expr.Sum -> eval(expr.left) + eval(expr.right)
    is Expr.Product -> eval(expr.left) * eval(expr.right)
    Expr.Nothing -> 0
}

@JvmInline
value class Metres(val value: Double) {
    operator fun plus(other: Metres) = Metres(value + other.value)
}

interface Greeter {
    fun greet(name: String = "you"): String = "hello $name"
}

class Loud(private val inner: Greeter) : Greeter by inner {
    var count: Int by Delegates.observable(0) { _, old, new -> println("count $old -> $new") }
    val lazyText by lazy { "made once" }
    lateinit var late: String
}

inline fun <reified T> List<Any>.only(crossinline each: (T) -> Unit) {
    for (item in this) if (item is T) each(item)
}

tailrec fun gcd(a: Int, b: Int): Int = if (b == 0) a else gcd(b, a % b)

fun kind(value: Any?): String = when (value) {
    null -> "nothing"
    in 1..9 -> "digit"
    is String -> if (value.isEmpty()) "empty" else "text ${value.length}"
    is IntArray -> "ints ${value.sum()}"
    else -> "other"
}

suspend fun square(n: Int): Int {
    delay((n % 3).toLong())
    return n * n
}

suspend fun <T> twice(block: suspend (Int) -> T): List<T> = listOf(block(1), block(2))

fun coroutines() = runBlocking {
    val squares = (1..40).map { n -> async(Dispatchers.Default) { square(n) } }.awaitAll()
    println(squares.sum())
    val channel = Channel<String>(2)
    launch {
        for (word in listOf("a", "b", "c", "d")) channel.send(word)
        channel.close()
    }
    var received = ""
    for (word in channel) received += word
    println(received)
    println(flow { for (n in 1..10) { emit(n); delay(1) } }.filter { it % 2 == 0 }.map { it * it }.toList())
    val mutex = Mutex()
    var counter = 0
    withContext(Dispatchers.Default) {
        repeat(20) { launch { repeat(50) { mutex.withLock { counter++ } } } }
    }
    println(counter)
    println(twice { n -> square(n + 1) + 1 })
    val failed = runCatching { withContext(Dispatchers.IO) { error("in a coroutine") } }
    println(failed.exceptionOrNull()?.message)
}

fun main() {
    val expr = Expr.Sum(Expr.Num(3), Expr.Product(Expr.Num(4)))
    println("$expr = ${eval(expr)}, ${expr.copy(left = Expr.Nothing) == expr}, ${expr.hashCode() == expr.copy().hashCode()}")
    val (left, _) = expr
    println("$left ${Metres(1.5) + Metres(2.0)} ${gcd(84, 36)}")
    val loud = Loud(object : Greeter {})
    loud.count++
    loud.count += 5
    println("${loud.greet()} ${loud.greet("Kotlin")} ${loud.lazyText}")
    listOf("x", 1, 2.0, 'c', 3).only<Int> { print("$it ") }
    println(listOf(null, 5, 10, "", "abc", intArrayOf(1, 2), 1L).joinToString { kind(it) })
    println(generateSequence(1) { it * 3 }.takeWhile { it < 1000 }.windowed(2) { (a, b) -> b - a }.toList())
    println(sequence { yield(1); yieldAll(listOf(2, 3)); for (n in 4..6) yield(n) }.groupBy { it % 2 })
    outer@ for (a in 1..5) for (b in 1..5) { if (a * b == 12) { println("$a $b"); break@outer } }
    coroutines()
    println(loud.late)
}
