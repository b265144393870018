import FaultyDisk
import GatebookCrypto
import GatebookEvents
import Glibc
import Testing

@testable import GatebookStore

/// One disk at a time: the plan is the whole process's.
@Suite(.serialized) struct FullDiskTests {
  private struct Outcome {
    var acknowledged: [(id: EventID, text: String)] = []
    var failures: [GatebookError] = []
    var writes = 0
  }

  private static func id(_ index: Int) -> EventID { EventID(high: 0xD15C, low: UInt64(index)) }

  /// Writes into a book whose disk fails; remembers what was acknowledged.
  private func write(_ book: TestBook, _ plan: DiskPlan) async throws -> Outcome {
    var outcome = Outcome()
    let store = try await book.open()
    FaultyDisk.arm(plan, under: book.folder.path)
    defer { FaultyDisk.heal() }
    for index in 0..<6 {
      // The facts fill more than a page each, so that a commit is several writes.
      let text = String(repeating: "\(index)", count: 6000)
      var append = Append([
        ProposedEvent(
          .cookiesChanged, id: Self.id(index), account: TestBook.ada, data: ["text": .text(text)],
          personal: ["index": .integer(Int64(index))])
      ])
      append.vault = [
        .set(TestBook.ada, purpose: "full", generation: 1, content: Self.id(index).bytes)
      ]
      do throws(GatebookError) {
        _ = try await store.append(append)
        outcome.acknowledged.append((Self.id(index), text))
      } catch {
        outcome.failures.append(error)
      }
    }
    await store.close()
    outcome.writes = FaultyDisk.heal()
    return outcome
  }

  private func expectWhole(_ book: TestBook, _ outcome: Outcome, _ comment: Comment) async throws {
    let verdict = try await book.verify()
    #expect(verdict.ok, "\(comment): \(verdict.problems)")
    let reader = try book.reader()
    #expect(try reader.checkProjections().ok, comment)
    let events = try reader.events(EventFilter()).filter { $0.id.high == 0xD15C }
    // Exactly what was acknowledged: what was refused is not there either.
    #expect(events.map(\.id) == outcome.acknowledged.map(\.id), comment)
    #expect(events.map { $0.data["text"]?.text } == outcome.acknowledged.map(\.text), comment)
    #expect(
      try reader.secret(of: TestBook.ada, purpose: "full") == outcome.acknowledged.last?.id.bytes,
      comment)
    let store = try await book.open()
    _ = try await store.append(.note("after"))
    await store.close()
    #expect(try await book.verify().ok, comment)
  }

  @Test(arguments: [(ENOSPC, true), (ENOSPC, false), (EDQUOT, true), (EIO, false)])
  func `whichever write fails, nothing acknowledged is lost and nothing else appears`(
    error: Int32, lasting: Bool
  ) async throws {
    var number = 1
    while true {
      let book = try await TestBook.written(events: 0)
      let outcome = try await write(
        book, .fail(write: number, error: error, lasting: lasting))
      let comment: Comment = "error \(error), write \(number), lasting \(lasting)"
      try await expectWhole(book, outcome, comment)
      for failure in outcome.failures {
        #expect(failure.code == (error == EIO ? .storageUnreadable : .storageFull), comment)
      }
      if outcome.writes < number {
        #expect(outcome.failures.isEmpty)
        #expect(outcome.acknowledged.count == 6)
        break
      }
      number += 1
    }
    #expect(number > 20, "the disk must have failed at many places")
  }

  /// Appends of two kinds in one commit: what changes the vault alone leaves no mark in the log.
  enum Company: CaseIterable {
    case alone, withEvents, withRepetition
  }

  @Test(arguments: Company.allCases)
  func `whichever write fails, a change of the vault alone is acknowledged only when it is there`(
    company: Company
  ) async throws {
    var number = 1
    var refused = 0
    while true {
      let book = try await TestBook.written(events: 0)
      let writer = try BookOpening(
        file: BookFile(path: book.path), isFresh: false, key: book.key,
        writer: Writer(program: TestBook.program, process: Int64(getpid())), clock: book.clock,
        random: SystemRandom(), wait: .seconds(30), lock: BookLock.open(book.path + "-lock")
      ).open()
      let known = Append.note("known", id: Self.id(0))
      _ = try writer.commit([known])[0].get()
      var change = Append([])
      change.vault = [
        .set(TestBook.ada, purpose: "full", generation: 1, content: Self.id(number).bytes)
      ]
      let group =
        switch company {
        case .alone: [change]
        case .withEvents: [change, .note("new", id: Self.id(1)), change]
        case .withRepetition: [change, known, change]
        }
      FaultyDisk.arm(
        .fail(write: number, error: ENOSPC, lasting: false), under: book.folder.path)
      let answers = writer.commit(group)
      let writes = FaultyDisk.heal()
      let comment: Comment = "\(company), write \(number)"
      let reader = try book.reader()
      let isThere =
        try reader.secret(of: TestBook.ada, purpose: "full") == Self.id(number).bytes
      let ids = Set(try reader.events(EventFilter()).map(\.id))
      for (append, answer) in zip(group, answers) {
        let isAcknowledged = if case .success = answer { true } else { false }
        if let id = append.events.first?.id {
          #expect(isAcknowledged == ids.contains(id), comment)
        } else {
          #expect(isAcknowledged == isThere, comment)
        }
        if !isAcknowledged { refused += 1 }
      }
      // The next commit of the same writer is as good as any.
      _ = try writer.commit([change])[0].get()
      #expect(
        try book.reader().secret(of: TestBook.ada, purpose: "full") == Self.id(number).bytes,
        comment)
      writer.checkpointWAL(isClosing: true)
      #expect(try await book.verify().ok, comment)
      if writes < number { break }
      number += 1
    }
    #expect(number > 2, "the disk must have failed at several places")
    #expect(refused > 1)
  }

  @Test func `whichever write of a creation fails, a book can be made later`() async throws {
    var number = 1
    while true {
      let book = try TestBook()
      FaultyDisk.arm(
        .fail(write: number, error: ENOSPC, lasting: true), under: book.folder.path)
      var failure: GatebookError?
      do throws(GatebookError) {
        await (try book.open()).close()
      } catch {
        failure = error
      }
      let writes = FaultyDisk.heal()
      // Where a file cannot be made, SQLite tries to read it and reports only that.
      if let failure, failure.cause?.hasPrefix("SQLite 14:") != true {
        #expect(failure.code == .storageFull, "write \(number): \(failure)")
      }
      let store = try await book.open()
      _ = try await store.append(.login(TestBook.ada, TestBook.session))
      await store.close()
      #expect(try await book.verify().ok, "write \(number)")
      #expect(try book.reader().events(EventFilter()).count == 4, "write \(number)")
      if writes < number { break }
      number += 1
    }
    #expect(number > 20)
  }
}
