internal import Gatebook

/// The names and identities in event rows as JSON, each made once.
struct RenderedNames {
  /// The kinds; `nil` for one that this version does not know.
  var eventKinds: RecentValues<EventKind?>
  /// The kinds as JSON texts.
  var kinds: RecentValues<[UInt8]>
  /// The programs that wrote: the members of `writer` up to the process.
  var writers: RecentValues<[UInt8]>
  /// The same as JSON texts of a name and a version.
  var programs: RecentValues<[UInt8]>
  private var accounts: RecentValues<[UInt8]>
  private var sessions: RecentValues<[UInt8]>

  init(_ names: EventNames) {
    eventKinds = RecentValues(256) { number throws(GatebookError) in
      EventKind(rawValue: try names.kind(number))
    }
    kinds = RecentValues(names: 256) { number throws(GatebookError) in
      JSON.text(try names.kind(number)).encoded
    }
    writers = RecentValues(names: 256) { number throws(GatebookError) in
      let program = try names.known(number)
      let object: JSON = [
        "program": .text(program.name), "version": .text(program.version),
        "installation": .text(program.installation.description),
      ]
      return object.encoded.dropLast() + Array(",\"process\":".utf8)
    }
    programs = RecentValues(names: 256) { number throws(GatebookError) in
      let program = try names.known(number)
      return JSON.text("\(program.name) \(program.version)").encoded
    }
    accounts = RecentValues(8192) { number throws(GatebookError) in
      JSON.text(try names.account(number)?.description ?? "").encoded
    }
    sessions = RecentValues(8192) { number throws(GatebookError) in
      JSON.text(try names.session(number)?.description ?? "").encoded
    }
  }

  /// An account as a JSON text, an empty one where it cannot be read; `nil` for the book's own
  /// stream.
  mutating func account(of row: EventRow) throws(GatebookError) -> [UInt8]? {
    row.account == 0 ? nil : try accounts[row.account]
  }

  /// A session as a JSON text, an empty one where it cannot be read; `nil` for none.
  mutating func session(of row: EventRow) throws(GatebookError) -> [UInt8]? {
    guard let session = row.session else { return nil }
    return try sessions[session]
  }
}

extension EventNames {
  /// The program with a number.
  ///
  /// - Throws: `storage.damaged` for one whose installation cannot be read.
  func known(_ number: Int64) throws(GatebookError) -> Program {
    guard let program = try program(number) else {
      throw GatebookError(
        .storageDamaged, "A writer's installation cannot be read.", remedy: "See `gatebook verify`."
      )
    }
    return program
  }
}

/// What the numbers of a dictionary table stand for: those used last, found without a hash.
struct RecentValues<Value> {
  private let make: (Int64) throws(GatebookError) -> Value
  private let mayKeep: (Value) -> Bool
  // A number has one place; another one with the same place takes it over. So memory stays flat
  // however many there are.
  private var entries: [(number: Int64, value: Value)?]

  /// Makes room.
  ///
  /// - Parameters:
  ///   - room: For how many; a power of two.
  ///   - mayKeep: Whether there is room for a value.
  ///   - make: Makes the value of a number.
  init(
    _ room: Int, mayKeep: @escaping (Value) -> Bool = { _ in true },
    _ make: @escaping (Int64) throws(GatebookError) -> Value
  ) {
    entries = Array(repeating: nil, count: room)
    self.mayKeep = mayKeep
    self.make = make
  }

  subscript(number: Int64) -> Value {
    mutating get throws(GatebookError) {
      let place = Int(truncatingIfNeeded: number) & (entries.count - 1)
      if let entry = entries[place], entry.number == number { return entry.value }
      let value = try make(number)
      if mayKeep(value) { entries[place] = (number, value) }
      return value
    }
  }
}

extension RecentValues<[UInt8]> {
  /// Makes room for names: a strange book may hold some of any length, and long ones are made each
  /// time.
  init(names room: Int, _ make: @escaping (Int64) throws(GatebookError) -> [UInt8]) {
    self.init(room, mayKeep: { $0.count <= 1024 }, make)
  }
}
