internal import Gatebook

/// The names in event rows as JSON, each made once.
final class RenderedNames {
  private let names: EventNames
  private var kinds: [Int64: String] = [:]
  private var accounts: [Int64: AccountID] = [:]
  private var rendered: [Key: [UInt8]] = [:]

  private enum Key: Hashable {
    case kind(Int64)
    case account(Int64)
    case session(Int64)
    case writer(Int64)
    case program(Int64)
  }

  /// More than this many are forgotten and made again: memory stays flat however many there are.
  private static let limit = 8192

  init(_ names: EventNames) {
    self.names = names
  }

  func kind(_ number: Int64) throws(GatebookError) -> String {
    if let known = kinds[number] { return known }
    let kind = try names.kind(number)
    if kinds.count >= Self.limit { kinds.removeAll(keepingCapacity: true) }
    kinds[number] = kind
    return kind
  }

  /// The kind as a JSON text.
  func kindBytes(_ number: Int64) throws(GatebookError) -> [UInt8] {
    try bytes(.kind(number)) { () throws(GatebookError) in JSON.text(try kind(number)).encoded }
  }

  /// An account; `nil` for the book's own stream.
  func account(_ number: Int64) throws(GatebookError) -> AccountID? {
    guard number != 0 else { return nil }
    if let known = accounts[number] { return known }
    let account = try names.account(number)
    if accounts.count >= Self.limit { accounts.removeAll(keepingCapacity: true) }
    accounts[number] = account
    return account
  }

  /// An account's identity as a JSON text.
  func accountBytes(_ number: Int64) throws(GatebookError) -> [UInt8] {
    try bytes(.account(number)) { () throws(GatebookError) in
      JSON.text(try account(number)?.description ?? "").encoded
    }
  }

  /// A session.
  func session(_ number: Int64) throws(GatebookError) -> SessionID? { try names.session(number) }

  /// A session's identity as a JSON text.
  func sessionBytes(_ number: Int64) throws(GatebookError) -> [UInt8] {
    try bytes(.session(number)) { () throws(GatebookError) in
      JSON.text(try names.session(number)?.description ?? "").encoded
    }
  }

  /// Who wrote: the members of `writer` up to the process.
  func writerBytes(_ number: Int64) throws(GatebookError) -> [UInt8] {
    try bytes(.writer(number)) { () throws(GatebookError) in
      let program = try program(number)
      let object: JSON = [
        "program": .text(program.name), "version": .text(program.version),
        "installation": .text(program.installation.description),
      ]
      return object.encoded.dropLast() + Array(",\"process\":".utf8)
    }
  }

  /// The program that wrote, with its version, as a JSON text.
  func programBytes(_ number: Int64) throws(GatebookError) -> [UInt8] {
    try bytes(.program(number)) { () throws(GatebookError) in
      let program = try program(number)
      return JSON.text("\(program.name) \(program.version)").encoded
    }
  }

  func program(_ number: Int64) throws(GatebookError) -> Program {
    guard let program = try names.program(number) else {
      throw GatebookError(
        .storageDamaged, "A writer's installation cannot be read.", remedy: "See `gatebook verify`."
      )
    }
    return program
  }

  private func bytes(
    _ key: Key, _ make: () throws(GatebookError) -> [UInt8]
  ) throws(GatebookError) -> [UInt8] {
    if let known = rendered[key] { return known }
    let bytes = try make()
    // A strange book may hold names of any length: they are made each time.
    guard bytes.count <= 1024 else { return bytes }
    if rendered.count >= Self.limit { rendered.removeAll(keepingCapacity: true) }
    rendered[key] = bytes
    return bytes
  }
}
