internal import Gatebook

/// The command line of Python's `keyring`, which pip and uv run: service and user as arguments, a
/// password to be saved on standard input.
///
/// Source: `keyring --help`, version 25.
struct KeyringProtocol: CredentialProtocol {
  /// What `get` prints.
  enum Mode: String, CaseIterable {
    /// The password alone.
    case password
    /// The user name too.
    case creds
  }

  /// How `get` prints it.
  enum Format: String, CaseIterable {
    case plain, json
  }

  let operation: String
  let service: String
  let user: String?
  var mode = Mode.password
  var format = Format.plain

  let program = "keyring"
  let mustHearOfNothing = true

  func question(_ input: [UInt8]) throws(CredentialFault) -> CredentialQuestion? {
    guard let deed = Self.deeds[operation] else {
      throw CredentialFault("`\(operation)` is no operation of keyring; it has get, set, del.")
    }
    guard user?.isEmpty == false || (deed == .get && mode == .creds) else {
      throw CredentialFault(
        "`\(operation)` needs SERVICE and USER; `get --mode creds` needs no USER.")
    }
    // Other programs keep other things in a keyring. And pip asks for the whole URL first, then for
    // its host alone: that would give the password of https to http.
    guard let place = ServerPlace(service), place.hasScheme else {
      return CredentialQuestion(deed: deed, urls: [])
    }
    guard place.user == nil || user == nil || place.user == user else {
      throw CredentialFault("The URL and the argument name two users.")
    }
    var question = CredentialQuestion(deed: deed, urls: place.urls, user: user ?? place.user)
    question.keepsUser = mode == .password
    if operation == "set" { question.secret = Secret(try Self.line(input)) }
    return question
  }

  func answer(
    _ credential: HandedCredential, to question: CredentialQuestion
  ) throws(CredentialFault) -> [UInt8] {
    switch format {
    case .json:
      let secret = try credential.text()
      let user: JSON? = mode == .creds ? .text(credential.user) : nil
      return JSON.present(["username": user, "password": .text(secret)]).encoded
        + [UInt8(ascii: "\n")]
    case .plain:
      let (user, secret) = try credential.lines()
      return Array((mode == .creds ? "\(user)\n\(secret)\n" : "\(secret)\n").utf8)
    }
  }

  func refusal(_ reason: String?, _ exit: ExitCode) -> (output: [UInt8], exit: ExitCode) {
    ([], .failed)
  }

  private static let deeds: [String: CredentialQuestion.Deed] = [
    "get": .get, "set": .accepted, "del": .rejected,
  ]

  /// The password on standard input, without the line end that follows it.
  private static func line(_ input: [UInt8]) throws(CredentialFault) -> String {
    var bytes = input[...]
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CredentialFault("The password on standard input is not UTF-8 text.")
    }
    return text
  }
}
