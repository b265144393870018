import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

struct FollowTests {
  @Test func `each event is in the fleet as it comes`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 20)
    try await following(book, fleet) { reports in
      try waitForAll(book, fleet)
      let store = try await book.open()
      for number in 0..<5 {
        _ = try await store.append(.note("\(number)"))
        try waitForAll(book, fleet)
      }
      await store.close()
      #expect(reports.withLock { $0.map(\.events).reduce(0, +) } >= 33)
    }
    try fleet.expectHas(book)
  }

  @Test func `an archive that is made meanwhile is noticed`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 400)
    try await following(book, fleet) { _ in
      try waitForAll(book, fleet)
      _ = try await book.archive()
      try waitForAll(book, fleet)
      try await book.grow(by: 30)
      try waitForAll(book, fleet)
    }
    try fleet.expectHas(book)
    #expect(try fleet.rows("SELECT floor, first FROM gatebook.branch") == ["(409,1)"])
    #expect(try fleet.value("SELECT count(*) > 0 FROM gatebook.past") == "true")
    #expect(
      try fleet.rows("SELECT count(*), min(position) FROM gatebook.event") == ["(440,1)"])
  }

  @Test func `two that follow one book do not disturb each other`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 20)
    try await following(book, fleet) { _ in
      try await following(book, fleet) { _ in
        let store = try await book.open()
        for number in 0..<10 {
          let account = number.isMultiple(of: 2) ? TestBook.ada : TestBook.bob
          _ = try await store.append(
            Append([
              ProposedEvent(
                .accountSwitched, account: account, data: ["to": .text(account.description)])
            ]))
          try waitForAll(book, fleet)
        }
        await store.close()
      }
    }
    try fleet.expectHas(book)
    #expect(try fleet.rows("SELECT code FROM gatebook.notice").isEmpty)
    let present = try book.reader().presentRows().rows.map {
      "\($0.part) \(String(decoding: $0.content, as: UTF8.self))"
    }
    #expect(
      try fleet.connect().run("SELECT part || ' ' || state FROM gatebook.state").map { $0.text(0) }
        .sorted() == present.sorted())
  }

  @Test func `an interval ships again and again`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 20)
    try await following(book, fleet, every: .milliseconds(50)) { _ in
      try waitForAll(book, fleet)
      try await book.grow(by: 30)
      try waitForAll(book, fleet)
    }
    try fleet.expectHas(book)
  }

  @Test func `a signal ends the command, with success`() async throws {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 20)
    let process = try GatebookProcess(
      ["ship", "--book", book.path, "--to", fleet.url(), "--follow"])
    try waitForAll(book, fleet)
    try await book.grow(by: 30)
    try waitForAll(book, fleet)
    process.interrupt()
    let ending = process.end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output.contains("30 events shipped; the fleet has 59"), "\(ending.output)")
  }
}

extension StoppedServerTests {
  @Test func `an archive that was made while the fleet was out of reach is shipped first`()
    async throws
  {
    let server = try await Self.running()
    let fleet = try await TestFleet(on: server)
    let book = try await TestBook.written(events: 40)
    try await following(book, fleet) { _ in
      try waitForAll(book, fleet)
      try server.stop()
      try await book.grow(by: 100)
      _ = try await book.archive()
      try await book.grow(by: 3)
      try server.start()
      // The follower tries again after a pause.
      try waitForAll(book, fleet, limit: .seconds(60))
    }
    try fleet.expectHas(book)
    #expect(try fleet.rows("SELECT floor, first FROM gatebook.branch") == ["(149,1)"])
    #expect(try fleet.rows("SELECT count(*), min(position) FROM gatebook.event") == ["(153,1)"])
  }
}

/// Ships as it comes, until the body has returned.
private func following(
  _ book: TestBook, _ fleet: TestFleet, every interval: Duration? = nil,
  _ body: (Locked<[ShipReport]>) async throws -> Void
) async throws {
  let reports = Locked<[ShipReport]>([])
  let shipment = BookShipment(of: book.path, key: book.key, to: try fleet.access())
  let task = Task { () async -> GatebookError? in
    do throws(GatebookError) {
      try await shipment.keepShipping(every: interval) { news in
        if case .shipped(let report) = news { reports.withLock { $0.append(report) } }
      }
      return nil
    } catch {
      return error
    }
  }
  do {
    try await body(reports)
  } catch {
    task.cancel()
    let end = await task.value
    #expect(end?.code == .cancelled, "the follower ended: \(end as Any)")
    throw error
  }
  task.cancel()
  let error = await task.value
  #expect(error?.code == .cancelled, "\(error as Any)")
}

private func waitForAll(
  _ book: TestBook, _ fleet: TestFleet, limit: Duration = .seconds(10)
) throws {
  let size = "\(try book.reader().head().size)"
  try wait(for: "event in the fleet", limit: limit) {
    try fleet.value("SELECT size FROM gatebook.branch") == size
  }
}
