import GatebookProxy
import Testing

struct RefusalJournalTests {
  @Test func `a refusal of a program is recorded once an hour`() {
    var journal = RefusalJournal()
    let curl = AskingProgram(process: 1, name: "curl")
    let another = AskingProgram(process: 2, name: "curl")
    let git = AskingProgram(process: 3, name: "git")
    let taken = [
      journal.takes(.path, of: curl, at: .seconds(10)),
      journal.takes(.path, of: curl, at: .seconds(11)),
      journal.takes(.path, of: another, at: .seconds(12)),
      journal.takes(.readOnly, of: curl, at: .seconds(13)),
      journal.takes(.path, of: git, at: .seconds(14)),
      journal.takes(.path, of: nil, at: .seconds(15)),
      journal.takes(.path, of: curl, at: .seconds(3609)),
      journal.takes(.path, of: curl, at: .seconds(3610)),
    ]
    #expect(taken == [true, false, false, true, true, true, false, true])
  }

  @Test func `a program that changes its name cannot fill the book`() {
    var journal = RefusalJournal()
    let count = (0..<10_000).count { number in
      let program = AskingProgram(process: Int32(number), name: "p\(number)")
      return journal.takes(.path, of: program, at: .milliseconds(number))
    }
    #expect(count == RefusalJournal.most)
  }
}
