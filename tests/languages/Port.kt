package port

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext

/** Berths that are free, each with its length. */
class Quay {
    private val free = mutableListOf<Int>()

    /** A ship leaves. */
    suspend fun clear(metres: Int) {
        delay(1)
        free.add(metres)
    }

    /** What each ship has of [metres] of fenders. */
    suspend fun fenders(metres: Int): Int {
        delay(1)
        return metres / free.size
    }
}

/** Pulls ships. */
class Tug {
    /** The minutes that it takes. */
    suspend fun pull(tons: Int): Int = withContext(Dispatchers.Default) { 600 / tons }

    /** The minutes for all ships. */
    suspend fun all(ships: List<Int>): Int = coroutineScope { ships.map { async { pull(it) } }.awaitAll().sum() }
}

/** Knows ships. */
class Pilot {
    /** The first word of a ship's name. */
    suspend fun hail(ship: String): String {
        delay(1)
        return ship.substring(0, ship.indexOf(' '))
    }
}

/** Measures depths. */
class Sonar(private val depth: Int) {
    /** Depths at some steps towards the shore. */
    fun depths(steps: Int): Flow<Int> = flow {
        for (step in 0..steps) {
            delay(1)
            emit(depth / (3 - step))
        }
    }
}

/** One of these fails. */
fun main(args: Array<String>) = runBlocking {
    when (args[0]) {
        "resumed" -> {
            val quay = Quay()
            quay.clear(90)
            println(quay.fenders(8))
            println(Quay().fenders(8))
        }
        "parallel" -> {
            println(Tug().all(listOf(30, 40)))
            println(Tug().all(listOf(50, 0)))
        }
        "launched" -> {
            val pilot = Pilot()
            listOf("Mary Ann", "Titanic").map { launch(Dispatchers.Default) { println(pilot.hail(it)) } }.joinAll()
        }
        else -> {
            val sonar = Sonar(12)
            println(sonar.depths(1).toList())
            println(sonar.depths(4).map { it + 1 }.toList())
        }
    }
}
