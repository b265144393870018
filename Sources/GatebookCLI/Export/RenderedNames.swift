internal import Gatebook

/// The names in event rows: kinds and programs as JSON, each made once, and identities.
struct RenderedNames {
  private let names: EventNames
  private var accounts = RecentValues<AccountID?>(8192)
  private var sessions = RecentValues<SessionID?>(8192)
  private var eventKinds = RecentValues<EventKind?>(256)
  private var kinds = RecentValues<[UInt8]>(256)
  private var writers = RecentValues<[UInt8]>(256)
  private var programs = RecentValues<[UInt8]>(256)

  init(_ names: EventNames) {
    self.names = names
  }

  func kind(_ number: Int64) throws(GatebookError) -> String { try names.kind(number) }

  /// The kind; `nil` for one that this version does not know.
  mutating func eventKind(_ number: Int64) throws(GatebookError) -> EventKind? {
    if let known = eventKinds[number] { return known }
    let kind = EventKind(rawValue: try kind(number))
    eventKinds[number] = .some(kind)
    return kind
  }

  /// The kind as a JSON text.
  mutating func kindBytes(_ number: Int64) throws(GatebookError) -> [UInt8] {
    if let known = kinds[number] { return known }
    return kinds.keep(JSON.text(try kind(number)).encoded, for: number)
  }

  /// An account; `nil` for the book's own stream.
  mutating func account(_ number: Int64) throws(GatebookError) -> AccountID? {
    guard number != 0 else { return nil }
    if let known = accounts[number] { return known }
    let account = try names.account(number)
    accounts[number] = .some(account)
    return account
  }

  /// A session.
  mutating func session(_ number: Int64) throws(GatebookError) -> SessionID? {
    if let known = sessions[number] { return known }
    let session = try names.session(number)
    sessions[number] = .some(session)
    return session
  }

  /// Who wrote: the members of `writer` up to the process.
  mutating func writerBytes(_ number: Int64) throws(GatebookError) -> [UInt8] {
    if let known = writers[number] { return known }
    let program = try program(number)
    let object: JSON = [
      "program": .text(program.name), "version": .text(program.version),
      "installation": .text(program.installation.description),
    ]
    let bytes = object.encoded.dropLast() + Array(",\"process\":".utf8)
    return writers.keep(bytes, for: number)
  }

  /// The program that wrote, with its version, as a JSON text.
  mutating func programBytes(_ number: Int64) throws(GatebookError) -> [UInt8] {
    if let known = programs[number] { return known }
    let program = try program(number)
    return programs.keep(
      JSON.text("\(program.name) \(program.version)").encoded, for: number)
  }

  func program(_ number: Int64) throws(GatebookError) -> Program {
    guard let program = try names.program(number) else {
      throw GatebookError(
        .storageDamaged, "A writer's installation cannot be read.", remedy: "See `gatebook verify`."
      )
    }
    return program
  }
}
