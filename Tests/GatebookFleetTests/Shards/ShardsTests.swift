import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

struct ShardsTests {
  @Test func `books lie on the servers of their parts, and each part on one`() async throws {
    let fleet = try await ShardedFleet.onSharedServer()
    var books: [TestBook] = []
    for _ in 0..<4 { books.append(try await TestBook.written(events: 40)) }
    for book in books { try await fleet.ship(book) }
    for book in books {
      try fleet.expectHas(book)
      let places = try fleet.servers.prefix(2).filter { server in
        try fleet.value(
          "SELECT count(*) FROM gatebook.event WHERE book = '\(book.reader().id)'", on: server)
          != "0"
      }
      #expect(places.count == 1)
    }
    let servers = try await FleetShards(of: try fleet.access(fleet.coordinator)).servers()
    #expect(servers.map(\.parts.count) == [32, 32])
    #expect(Set(servers.flatMap(\.parts)) == Set(0..<64))
  }

  @Test func `a book moves to a new server while it is written and shipped`() async throws {
    let fleet = try await ShardedFleet.onSharedServer()
    let book = try await TestBook.written(events: 200)
    let other = try await TestBook.written(events: 50)
    for one in [book, other] { try await fleet.ship(one) }
    let shards = FleetShards(of: try fleet.access(fleet.coordinator))
    let name = try await shards.add(try fleet.access(fleet.servers[2]))
    let part = try fleet.part(of: book)
    let moving = Task { () async throws in
      // There and back, and there again.
      for target in [name, nil, name] {
        _ = try await shards.move([part], to: target, reaching: fleet.accesses) { _, _, _, _ in }
      }
    }
    for _ in 0..<15 {
      try await book.grow(by: 20)
      try await fleet.ship(book, patience: .seconds(60))
    }
    try await moving.value
    try await book.grow(by: 1)
    for one in [book, other] {
      try await fleet.ship(one, patience: .seconds(60))
      try fleet.expectHas(one)
    }
    let servers = try await shards.servers()
    #expect(servers.first { $0.name == name }?.parts == [part])
    #expect(servers.allSatisfy { $0.moving.isEmpty })
  }

  @Test func `a move that is killed is done again, and nothing is lost`() async throws {
    let fleet = try await ShardedFleet.onSharedServer()
    let book = try await TestBook.written(events: 2000)
    try await fleet.ship(book)
    let shards = FleetShards(of: try fleet.access(fleet.coordinator))
    let name = try await shards.add(try fleet.access(fleet.servers[2]))
    let part = try fleet.part(of: book)
    let passfile = fleet.coordinator.passfile
    // One file for all servers: the command knows the others' places alone.
    let passwords = Files.text(of: passfile) + Files.text(of: fleet.servers[2].passfile)
    let kept = try TestFolder()
    let file = kept.file("pgpass")
    let opened = try #require(OpenFile.open(file, .new))
    #expect(opened.write(Array(passwords.utf8)))
    let line = [
      "fleet", "shards", "move", "--server", name, "--part", "\(part)", "--fleet",
      "postgresql://gatebook_admin@127.0.0.1:\(fleet.coordinator.port)/\(fleet.coordinator.database)",
    ]
    let here = fleet.coordinator
    let steps: [(server: FleetServer, question: String)] = [
      (here, "SELECT target IS NOT NULL FROM gatebook.part WHERE number = \(part)"),
      (here, "SELECT state = 'closed' FROM gatebook.part WHERE number = \(part)"),
      (fleet.servers[2], "SELECT count(*) > 0 FROM gatebook.part WHERE number = \(part)"),
    ]
    for step in steps {
      let process = try GatebookProcess(line, environment: ["PGPASSFILE": file])
      try await wait(for: step.question) {
        try !process.isRunning || fleet.value(step.question, on: step.server) == "true"
      }
      process.kill()
    }
    let ending = try GatebookProcess.run(line, environment: ["PGPASSFILE": file])
    #expect(ending.exit == 0, "\(ending.errors)")
    try fleet.expectHas(book)
    try await book.grow(by: 5)
    try await fleet.ship(book)
    try fleet.expectHas(book)
    #expect(try await shards.servers().first { $0.name == name }?.parts == [part])
  }

  @Test func `what the shard has committed and the coordinator has not is there`() async throws {
    let fleet = try await ShardedFleet.onSharedServer()
    let book = try await TestBook.written(events: 60)
    // Straight to the shard: the coordinator hears nothing of it.
    try await fleet.ship(book, isDirect: true)
    try fleet.expectHas(book)
    try await fleet.ship(book)
    try await book.grow(by: 10)
    try await fleet.ship(book)
    try await book.grow(by: 10)
    try await fleet.ship(book, isDirect: true)
    try fleet.expectHas(book)
    #expect(try fleet.value("SELECT count(*) FROM gatebook.notice") == "0")
  }

  @Test func `a shard that is down stops only the shippers of its own books`() async throws {
    let fleet = try await ShardedFleet()
    // The parts of the first shard have even numbers.
    var books: [(book: TestBook, isOnFirst: Bool)] = []
    while Set(books.map(\.isOnFirst)).count < 2 {
      let book = try await TestBook.written(events: 20)
      books.append((book, try fleet.part(of: book) % 2 == 0))
      try await fleet.ship(book)
      try await book.grow(by: 5)
    }
    let url = fleet.coordinator.url(.shipper, "postgres")
    try fleet.servers[0].crash {
      for (book, isOnFirst) in books {
        let ending = try GatebookProcess.run(
          ["ship", "--book", book.path, "--key", "none", "--wait", "0", "--to", url])
        #expect(ending.exit == (isOnFirst ? 4 : 0), "\(ending.errors)")
      }
    }
    for (book, _) in books {
      try await fleet.ship(book)
      try fleet.expectHas(book)
    }
  }
}
