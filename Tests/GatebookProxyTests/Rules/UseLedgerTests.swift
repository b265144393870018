import Gatebook
import GatebookProxy
import GatebookTestSupport
import Testing

struct UseLedgerTests {
  private let clock = FixedClock()
  private let curl = AskingProgram(process: 1, name: "curl")
  private let git = AskingProgram(process: 2, name: "git")

  @Test func `a program is recorded a minute after its first request, and then once an hour`() {
    var ledger = UseLedger()
    let start = clock.now()
    #expect(ledger.due == nil)
    ledger.forwards(curl, at: start)
    ledger.refuses(curl, at: start)
    #expect(ledger.due == start.boot + .seconds(60))
    clock.advance(by: .seconds(61))
    let first = ledger.take()
    #expect(first.since == start.wall)
    #expect((first.forwarded, first.refused) == (1, 1))
    #expect(first.programs["curl"]?.process == 1)
    #expect(ledger.due == nil)
    ledger.forwards(curl, at: clock.now())
    #expect(ledger.due == clock.now().boot + .seconds(3600), "it is known")
    clock.advance(by: .seconds(10))
    ledger.forwards(git, at: clock.now())
    #expect(ledger.due == clock.now().boot + .seconds(60), "a new one comes sooner")
    ledger.forwards(git, at: clock.now())
    let second = ledger.take()
    #expect(second.forwarded == 3)
    #expect(second.programs.mapValues(\.forwarded) == ["curl": 1, "git": 2])
    #expect(ledger.take().isEmpty)
  }

  @Test func `several processes of a name are one program without a number`() {
    var ledger = UseLedger()
    ledger.forwards(curl, at: clock.now())
    ledger.forwards(AskingProgram(process: 7, name: "curl"), at: clock.now())
    ledger.forwards(nil, at: clock.now())
    let use = ledger.take()
    #expect(use.forwarded == 3)
    #expect(use.programs.count == 1)
    #expect(use.programs["curl"]?.forwarded == 2)
    #expect(use.programs["curl"]?.process == nil)
  }

  @Test func `a program that changes its name fills neither the memory nor the book`() {
    var ledger = UseLedger()
    for number in 0..<1000 {
      let program = AskingProgram(process: 1, name: "p\(number)")
      ledger.forwards(program, at: clock.now())
      ledger.refuses(program, at: clock.now())
    }
    let use = ledger.take()
    #expect((use.forwarded, use.refused) == (1000, 1000))
    #expect(use.programs.count == UseLedger.most)
    for number in 1000..<2000 {
      ledger.refuses(AskingProgram(process: 1, name: "p\(number)"), at: clock.now())
    }
    #expect(ledger.take().programs.count <= UseLedger.most)
  }

  @Test func `counts that the book could not take are added to the next ones`() {
    var ledger = UseLedger()
    ledger.forwards(curl, at: clock.now())
    var kept = ledger.take()
    clock.advance(by: .seconds(5))
    ledger.forwards(AskingProgram(process: 9, name: "curl"), at: clock.now())
    ledger.refuses(git, at: clock.now())
    let since = kept.since
    kept.add(ledger.take())
    #expect(kept.since == since)
    #expect((kept.forwarded, kept.refused) == (2, 1))
    #expect(kept.programs["curl"]?.forwarded == 2)
    #expect(kept.programs["curl"]?.process == nil)
    #expect(kept.programs["git"]?.refused == 1)
  }
}
