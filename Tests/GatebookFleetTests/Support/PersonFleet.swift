import Gatebook
import GatebookEvents
import GatebookSystem
import Testing

@testable import GatebookFleet

/// A fleet of books that were shipped with a key of pseudonyms, which is in a file.
struct PersonFleet {
  let fleet: TestFleet
  let asked: Asked
  /// The folder of the key's file.
  private let folder: TestFolder

  init() async throws {
    fleet = try await TestFleet()
    asked = Asked(fleet: fleet)
    folder = try TestFolder()
    _ = try write(Self.digits(), to: "key")
  }

  /// The digits of a key.
  static func digits(_ digit: String = "a") -> String { String(repeating: digit, count: 64) }

  static func key(_ digit: String = "a") throws -> PseudonymKey {
    try PseudonymKey(Secret(digits(digit)))
  }

  /// The file of the fleet's key.
  var keyPath: String { folder.file("key") }

  /// Writes a file beside the key, which its owner alone may read.
  func write(_ text: String, to name: String) throws -> String {
    let file = try #require(OpenFile.open(folder.file(name), .new))
    #expect(file.write(Array(text.utf8)))
    return folder.file(name)
  }

  /// The options that ask for a person.
  func person(_ name: String) -> [String] { ["--person=\(name)", "--pseudonym-key", keyPath] }

  /// Ships a book with the key, or without it.
  func ship(_ book: TestBook, as machine: String, hasKey: Bool = true) async throws {
    try await fleet.ship(
      book,
      options: ShipmentOptions(machine: machine, pseudonymKey: hasKey ? try Self.key() : nil))
  }

  func reader() throws -> FleetReader { FleetReader(try fleet.access(.auditor)) }
}

extension TestBook {
  /// Logs in: a first login of accounts with these names, in this order.
  static func of(_ people: (account: AccountID, user: String)...) async throws -> TestBook {
    let book = try TestBook()
    for (account, user) in people {
      try await book.append(.login(account, user: user, userID: "id of \(user)"))
    }
    return book
  }
}

extension Append {
  /// An attempt of a known account to log in, which the server refuses or not.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - typed: The name that is typed.
  ///   - isInteractive: Whether a person typed it.
  ///   - isOther: Whether another name than the account's was typed.
  ///   - isRefused: Whether the server rejects the password; else it logs the user in.
  ///   - user: Who logs in.
  /// - Returns: Two events.
  static func attempt(
    _ account: AccountID, typed: String = "ada", isInteractive: Bool = true, isOther: Bool = false,
    isRefused: Bool = true, user: String = "ada"
  ) -> Append {
    let session = SessionID(high: 0x7A9, low: account.low)
    var started = LoginStarted(
      isInteractive: isInteractive, method: "http", server: "https://mail.example")
    if isOther { started.name = "f1n9" }
    let start = ProposedEvent(
      started, account: account, session: session,
      personal: isOther ? nil : LoginStarted.Personal(user: typed).facts)
    guard isRefused else {
      return Append([
        start,
        ProposedEvent(
          LoginSucceeded(
            evidence: "identity", generation: 1, method: "http", server: "https://mail.example"),
          account: account, session: session, cause: .proposed(0),
          personal: LoginSucceeded.Personal(tenant: "", user: user, userID: "id of \(user)").facts),
      ])
    }
    var failed = LoginFailed()
    failed.failure.code = .credentialsRefused
    return Append([
      start, ProposedEvent(failed, account: account, session: session, cause: .proposed(0)),
    ])
  }
}
