internal import Gatebook

extension FakeSecurityCheck {
  private static let unset = "Credentials not set properly"
  private static let wrong = "Wrong Credentials"

  /// What the credentials are worth; `nil` for checks that take none.
  ///
  /// The key `pin` and the texts of PIN checks are inferred, and so is that a value of another type
  /// counts as a missing key.
  func verdict(on credentials: PlainJSON, at moment: Timestamp) -> CredentialsVerdict? {
    switch kind {
    case .userLogin(let users): login(credentials, users, at: moment)
    case .pin(let pin), .stepUpPin(let pin, _, _): Self.compare(credentials, with: pin)
    case .silent: nil
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
