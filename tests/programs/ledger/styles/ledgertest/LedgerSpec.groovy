package ledgertest

import spock.lang.Specification

/** Conditions of Spock. */
class LedgerSpec extends Specification {
    def ledger = Books.november()

    def "number"() {
        expect:
        ledger.total() == 1750
    }

    def "list"() {
        when:
        def accounts = ledger.accounts()

        then:
        accounts == ["ann", "bob", "cy"]
    }

    def "missing"() {
        expect:
        ledger.atLeast(500).any { it.account() == "cy" }
    }

    def "exception"() {
        when:
        ledger.read("dan;7")

        then:
        thrown(IllegalArgumentException)
    }
}
