internal import Gatebook

/// One security check of a fake MobileFirst server.
public struct FakeSecurityCheck: Hashable, Sendable {
  /// What a check asks for.
  public enum Kind: Hashable, Sendable {
    /// Name and password (`username`, `password`, optionally `rememberMe`).
    ///
    /// Without a list of users every name is right whose password is the name itself.
    case userLogin(users: [FakeMobileFirstUser]? = nil)
    /// A PIN (`pin`).
    case pin(String)
    /// A PIN that says nothing, right answers included, unless another check has succeeded.
    ///
    /// Its challenge counts no attempts.
    case stepUpPin(String, dependsOn: String)
  }

  /// The name, as scopes and challenges give it.
  public var name: String
  /// What it asks for.
  public var kind: Kind
  /// How long its states hold.
  public var settings: FakeSecurityCheckSettings

  /// Makes a check.
  ///
  /// - Parameters:
  ///   - name: The name, without white space.
  ///   - kind: What it asks for.
  ///   - settings: How long its states hold; as in the base classes unless given.
  public init(
    _ name: String, _ kind: Kind, settings: FakeSecurityCheckSettings = FakeSecurityCheckSettings()
  ) {
    self.name = name
    self.kind = kind
    self.settings = settings
  }

  /// The check that must have succeeded first.
  var dependency: String? {
    if case .stepUpPin(_, let name) = kind { name } else { nil }
  }

  private static let unset = "Credentials not set properly"
  private static let wrong = "Wrong Credentials"

  /// What the credentials are worth.
  ///
  /// The key `pin` and the texts of PIN checks are inferred, and so is that a value of another type
  /// counts as a missing key.
  func verdict(on credentials: PlainJSON, at moment: Timestamp) -> CredentialsVerdict {
    switch kind {
    case .userLogin(let users): login(credentials, users, at: moment)
    case .pin(let pin), .stepUpPin(let pin, _): Self.compare(credentials, with: pin)
    }
  }

  /// The challenge, in the form of the check's kind.
  func challenge(_ message: String?, remaining: Int) -> PlainJSON {
    let text = message.map { PlainJSON.string($0) } ?? .null
    guard dependency == nil else { return ["errorMsg": text] }
    return ["errorMsg": text, "remainingAttempts": .integer(remaining)]
  }

  private func login(
    _ credentials: PlainJSON, _ users: [FakeMobileFirstUser]?, at moment: Timestamp
  ) -> CredentialsVerdict {
    guard let name = credentials["username"]?.string, let password = credentials["password"]?.string
    else { return .wrong(Self.unset) }
    let user: FakeMobileFirstUser?
    if let users {
      user = users.first { Self.equal($0.name, name) && Self.equal($0.password, password) }
    } else {
      let isRight = !name.isEmpty && Self.equal(name, password)
      user = isRight ? FakeMobileFirstUser(name, password: password) : nil
    }
    guard let user else { return .wrong(Self.wrong) }
    let identity = FakeMobileFirstIdentity(
      id: user.name, displayName: user.displayName, authenticatedAt: moment,
      authenticatedBy: self.name, attributes: user.attributes)
    guard case .bool(let wish)? = credentials["rememberMe"] else {
      return .valid(identity, remember: nil)
    }
    return .valid(identity, remember: wish)
  }

  private static func compare(_ credentials: PlainJSON, with pin: String) -> CredentialsVerdict {
    guard let answer = credentials["pin"]?.string else { return .wrong(unset) }
    return equal(answer, pin) ? .valid(nil, remember: nil) : .wrong(wrong)
  }

  // A server compares what was sent, not what looks the same.
  private static func equal(_ left: String, _ right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8)
  }
}

/// What a security check thinks of the credentials that it was sent.
enum CredentialsVerdict: Hashable, Sendable {
  /// They are right, belong to a user, and may say whether to remember the login.
  case valid(FakeMobileFirstIdentity?, remember: Bool?)
  /// They are wrong, for this reason.
  case wrong(String)
}

/// How many wrong answers a security check takes and how long its states hold.
///
/// A state is over when `now >= setAt + length`, in milliseconds.
public struct FakeSecurityCheckSettings: Hashable, Sendable {
  /// Wrong answers until the check is blocked.
  public var maxAttempts: Int
  /// The window in which wrong answers count together.
  public var attemptingStateExpiration: Duration
  /// How long a success holds; it does not slide.
  public var successStateExpiration: Duration
  /// How long a block lasts; zero for no lock-out.
  public var blockedStateExpiration: Duration
  /// The window after the last explicit login in which the login is remembered; zero for none.
  public var rememberMeDuration: Duration

  /// Makes settings; those of the base classes unless given.
  ///
  /// - Parameters:
  ///   - maxAttempts: Wrong answers until the check is blocked.
  ///   - attempting: The window in which wrong answers count together.
  ///   - success: How long a success holds.
  ///   - blocked: How long a block lasts.
  ///   - rememberMe: How long a login is remembered.
  public init(
    maxAttempts: Int = 1, attempting: Duration = .seconds(120), success: Duration = .seconds(3600),
    blocked: Duration = .zero, rememberMe: Duration = .zero
  ) {
    self.maxAttempts = maxAttempts
    attemptingStateExpiration = attempting
    successStateExpiration = success
    blockedStateExpiration = blocked
    rememberMeDuration = rememberMe
  }

  /// The settings of the vendor's sample check `UserLogin`: 3 attempts in 120 s, success for 60 s,
  /// a block of 10 s, remembered for 120 s.
  public static let userLoginSample = FakeSecurityCheckSettings(
    maxAttempts: 3, success: .seconds(60), blocked: .seconds(10), rememberMe: .seconds(120))
}

/// One user of a fake MobileFirst server, password included.
public struct FakeMobileFirstUser: Hashable, Sendable {
  /// The name to log in with, which is also the user's id.
  public var name: String
  /// The password.
  public var password: String
  /// The name that is shown.
  public var displayName: String
  /// What else the check tells about the user.
  public var attributes: [String: String]

  /// Makes a user; the name is shown unless another display name is given.
  public init(
    _ name: String, password: String, displayName: String? = nil,
    attributes: [String: String] = [:]
  ) {
    self.name = name
    self.password = password
    self.displayName = displayName ?? name
    self.attributes = attributes
  }
}

/// A user as a security check tells it.
struct FakeMobileFirstIdentity: Hashable, Sendable {
  var id: String
  var displayName: String
  /// The moment of the explicit login, never that of a remembered one.
  var authenticatedAt: Timestamp
  /// The name of the check.
  var authenticatedBy: String
  var attributes: [String: String] = [:]

  /// The user as `successes` has it.
  var json: PlainJSON {
    let attributes = attributes.sorted { $0.key < $1.key }.map {
      PlainJSON.Member(name: $0.key, value: .string($0.value))
    }
    return [
      "id": .string(id), "displayName": .string(displayName),
      "authenticatedAt": .integer(authenticatedAt.milliseconds),
      "authenticatedBy": .string(authenticatedBy), "attributes": .object(attributes),
    ]
  }
}

extension Timestamp {
  /// Milliseconds since 1970 UTC, as MobileFirst counts.
  var milliseconds: Int64 { rawValue / 1000 }

  /// The moment, cut to milliseconds.
  var inMilliseconds: Timestamp { Timestamp(rawValue: rawValue / 1000 * 1000) }
}
