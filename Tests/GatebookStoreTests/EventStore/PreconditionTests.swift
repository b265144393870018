import GatebookEvents
import Testing

@testable import GatebookStore

@Suite struct PreconditionTests {
  private static func event(
    _ kind: EventKind = .sessionVerified, data: Facts = [:]
  ) -> ProposedEvent {
    ProposedEvent(kind, account: TestBook.ada, session: TestBook.session, data: data)
  }

  @Test func `a revision must be the stream's last`() async throws {
    let book = try TestBook()
    let store = try await book.open()
    _ = try await store.append(.login(TestBook.ada, TestBook.session))
    for (account, revision) in [(TestBook.ada, 3), (nil, 1), (TestBook.bob, 0)]
      as [(AccountID?, Int64)]
    {
      for wrong in [revision - 1, revision + 1] {
        await expect(.preconditionFailed) { () throws(GatebookError) in
          _ = try await store.append(
            Append([Self.event()], precondition: .revision(account, wrong)))
        }
      }
    }
    #expect(try book.reader().head().size == 4)
    _ = try await store.append(
      Append([Self.event()], precondition: .revision(TestBook.ada, 3)))
    _ = try await store.append(Append([Self.event()], precondition: .revision(nil, 1)))
    _ = try await store.append(Append([Self.event()], precondition: .revision(TestBook.bob, 0)))
    #expect(try book.reader().head().size == 7)
  }

  @Test func `a late answer to a session is refused`() async throws {
    let book = try TestBook()
    let store = try await book.open()
    _ = try await store.append(.login(TestBook.ada, TestBook.session))
    let late = Precondition.generation(TestBook.ada, TestBook.session, 1)
    _ = try await store.append(Append([Self.event()], precondition: late))
    _ = try await store.append(
      Append([Self.event(.refreshSucceeded, data: ["generation": 2])], precondition: late))
    for wrong in [
      late, .generation(TestBook.ada, SessionID(high: 1, low: 1), 2),
      .generation(TestBook.bob, TestBook.session, 2),
    ] {
      await expect(.preconditionFailed) { () throws(GatebookError) in
        _ = try await store.append(Append([Self.event()], precondition: wrong))
      }
    }
  }

  @Test(arguments: [.logoutRequested, .sessionEnded, .sessionExpired] as [EventKind])
  func `an answer that comes after the end is refused`(end: EventKind) async throws {
    let book = try TestBook()
    let store = try await book.open()
    _ = try await store.append(.login(TestBook.ada, TestBook.session))
    _ = try await store.append(Append([Self.event(end)]))
    await expect(.preconditionFailed) { () throws(GatebookError) in
      _ = try await store.append(
        Append(
          [Self.event(.refreshSucceeded, data: ["generation": 2])],
          precondition: .generation(TestBook.ada, TestBook.session, 1)))
    }
    #expect(try book.reader().accounts()[0].state.isUsable == false)
  }

  @Test func `of a group each is judged by what those before it wrote, and fails alone`()
    async throws
  {
    let book = try TestBook()
    let store = try await book.open()
    _ = try await store.append(.login(TestBook.ada, TestBook.session))
    let lock = try BookLock.open(book.path + "-lock")
    try lock.lockWriter(wait: .seconds(10))
    let started = Counter()
    // All expect the revision that only the first of them meets.
    let results = await withTaskGroup(of: Result<Receipt, GatebookError>.self) { group in
      for index in 0..<24 {
        group.addTask {
          started.add()
          do throws(GatebookError) {
            return .success(
              try await store.append(
                Append(
                  [Self.event(data: ["index": .integer(Int64(index))])],
                  precondition: .revision(TestBook.ada, 3))))
          } catch {
            return .failure(error)
          }
        }
      }
      await started.reach(24)
      lock.unlockWriter()
      return await group.reduce(into: []) { $0.append($1) }
    }
    let receipts = results.compactMap { try? $0.get() }
    #expect(receipts.count == 1)
    let failures = results.filter { result in
      guard case .failure(let error) = result else { return false }
      return error.code == .preconditionFailed
    }
    #expect(failures.count == 23)
    #expect(try book.reader().head().size == 5)
    #expect(try await book.verify().ok)
  }
}
