import GatebookEvents
import Testing

@testable import GatebookStore

@Suite struct ContextTests {
  @Test func `accounts come in the order in which they were added, with what is known of them`()
    async throws
  {
    let book = try await TestBook.written(events: 0)
    let store = try await book.open()
    _ = try await store.append(
      Append([
        ProposedEvent(.accountRenamed, account: TestBook.bob, personal: ["label": "work"]),
        ProposedEvent(
          .accountSwitched, account: TestBook.bob,
          data: ["to": .text(TestBook.bob.description)]),
      ]))
    let contexts = try book.reader().accounts()
    #expect(contexts.map(\.account) == [TestBook.ada, TestBook.bob])
    #expect(contexts.map(\.isCurrent) == [false, true])
    #expect(contexts.map(\.label) == [nil, .known("work")])
    #expect(contexts.map(\.loginName) == [.known("ada"), .known("ada")])
    #expect(contexts.map { $0.user["firstName"] } == ["Ada", "Ada"])
    #expect(contexts.map(\.position.rawValue) == [3, 6])
    #expect(try book.reader().current() == TestBook.bob)
    #expect(try book.reader().context(of: AccountID(high: 1, low: 1)) == nil)
  }

  @Test func `the past is shown as it was`() async throws {
    let book = try await TestBook.written(events: 0)
    let store = try await book.open()
    _ = try await store.append(
      Append([
        ProposedEvent(
          .accountSwitched, account: TestBook.ada,
          data: ["to": .text(TestBook.ada.description)]),
        ProposedEvent(.logoutRequested, account: TestBook.ada, session: TestBook.session),
        ProposedEvent(.accountRenamed, account: TestBook.ada, personal: ["label": "late"]),
      ]))
    let reader = try book.reader()
    func context(_ position: Int64) throws -> SessionContext? {
      try reader.context(of: TestBook.ada, asOf: Position(rawValue: position))
    }
    #expect(try context(0) == nil)
    #expect(try context(1) == nil)
    #expect(try context(2)?.state == .needsLogin(.secretMissing))
    #expect(try context(3)?.state == .active)
    #expect(try context(3)?.user["firstName"] == nil)
    #expect(try context(4)?.user["firstName"] == "Ada")
    #expect(try context(7)?.isCurrent == false)
    #expect(try context(8)?.isCurrent == true)
    #expect(try context(8)?.state == .active)
    #expect(try context(9)?.state == .ended(.user))
    #expect(try context(9)?.label == nil)
    #expect(try context(10)?.label == .known("late"))
    #expect(try context(10) == reader.context(of: TestBook.ada))
    #expect(try context(1000) == reader.context(of: TestBook.ada))
    #expect(try reader.sessions(asOf: Position(rawValue: 4)).map(\.id) == [TestBook.session])
    #expect(try reader.sessions(asOf: Position(rawValue: 9)).map(\.state) == ["ended", "active"])
    #expect(try reader.sessions(of: TestBook.bob).map(\.account) == [TestBook.bob])
  }

  @Test func `a damaged projection is damage, never "no account"`() async throws {
    for change in [
      "UPDATE account_state SET state = '{}'", "UPDATE account_state SET state = ''",
      "UPDATE roster SET state = 'x'", "UPDATE session_state SET state = '{}'",
    ] {
      let book = try await TestBook.written(events: 0)
      let store = try await book.open()
      _ = try await store.append(
        Append([
          ProposedEvent(
            .accountSwitched, account: TestBook.ada,
            data: ["to": .text(TestBook.ada.description)])
        ]))
      await store.close()
      try book.tamper(change)
      let reader = try book.reader()
      await expect(.storageDamaged) { () throws(GatebookError) in
        _ = try reader.accounts()
        _ = try reader.sessions()
      }
      #expect(try reader.checkProjections().ok == false)
    }
  }
}
