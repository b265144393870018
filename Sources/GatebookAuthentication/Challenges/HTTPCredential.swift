package import GatebookCrypto
package import GatebookEvents

/// A user and what proves it to a server that asks by HTTP authentication.
package struct HTTPCredential: Sendable, Equatable {
  /// What proves the user.
  package enum Evidence: Sendable, Equatable {
    /// The password: answers Basic and Digest, in any realm.
    case password(Secret)
    /// What stands for it in one realm: answers Digest there, with these hashes, and never Basic.
    case keys([DigestKey])
  }

  /// The user name.
  package let user: String
  /// What proves it.
  package let evidence: Evidence

  /// Makes a credential.
  package init(user: String, _ evidence: Evidence) {
    self.user = user
    self.evidence = evidence
  }

  /// The credential that a session keeps which answers by Digest: no password, and what the server
  /// needs if it asks for a stronger hash one day.
  ///
  /// A weaker one is not kept: it would be the easiest to guess the password from, and nothing may
  /// lead back to it.
  ///
  /// - Parameters:
  ///   - realm: The realm that was proven.
  ///   - hash: The hash that it was proven with.
  /// - Returns: The same credential if it holds no password.
  package func kept(realm: String, from hash: DigestHash) -> HTTPCredential {
    guard case .password(let password) = evidence else { return self }
    let hashes = DigestHash.allCases.filter { $0 >= hash && $0.isAvailable }
    return HTTPCredential(
      user: user,
      .keys(
        hashes.map { DigestKey(user: user, realm: realm, password: password, hash: $0) }))
  }

  /// The weakest way in which it answers.
  package var floor: HTTPStrength {
    guard case .keys(let keys) = evidence else { return .basic }
    return keys.map { .digest($0.hash) }.min() ?? .basic
  }

  /// The `Authorization` field of Basic; `nil` without a password and for what Basic cannot carry.
  package var basicField: HTTPField? {
    guard case .password(let password) = evidence else { return nil }
    return try? BasicCredentials(user: user, password: password.text).field
  }

  /// HA1 for a challenge; `nil` when there is none for its realm and hash.
  package func key(for challenge: DigestChallenge) -> DigestKey? {
    switch evidence {
    case .password(let password):
      DigestKey(
        user: user, realm: challenge.realm, password: password, hash: challenge.algorithm.hash)
    case .keys(let keys):
      keys.first {
        $0.hash == challenge.algorithm.hash && $0.realm.utf8.elementsEqual(challenge.realm.utf8)
      }
    }
  }
}

extension HTTPCredential: StoredRecord {
  /// User and password, or user and keys.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    let keys = facts.optional("keys", kept?.evidence.keys?.map(\.fact))
    let password = facts.optional("password", kept?.evidence.password)
    user = try facts.required("user", kept?.user)
    switch (password, keys) {
    case (let password?, nil): evidence = .password(password)
    case (nil, let list?):
      let keys = list.compactMap { DigestKey(fact: $0) }
      guard !keys.isEmpty, keys.count == list.count else { throw Unreadable() }
      evidence = .keys(keys)
    case (nil, nil), (_?, _?): throw Unreadable()
    }
  }
}

extension HTTPCredential.Evidence {
  fileprivate var password: Secret? {
    if case .password(let password) = self { password } else { nil }
  }

  fileprivate var keys: [DigestKey]? {
    if case .keys(let keys) = self { keys } else { nil }
  }
}

/// A name and a password in the form of RFC 7617.
package struct BasicCredentials: Sendable {
  private let bytes: [UInt8]

  /// Checks and joins name and password.
  ///
  /// Always UTF-8: servers usually do not say which charset they read, and refuse ISO-8859-1.
  ///
  /// - Throws: `configuration.invalid` for a colon in the name, which would move the border between
  ///   name and password, and for control characters: "the user-id and password MUST NOT contain
  ///   any control characters" (section 2).
  package init(user: String, password: String) throws(GatebookError) {
    guard !user.utf8.contains(.colon) else {
      throw Self.refusal("The user name contains a colon, which Basic authentication cannot send.")
    }
    guard !(Array(user.utf8) + Array(password.utf8)).contains(where: \.isControl) else {
      throw Self.refusal(
        "The user name or the password contains a control character, which Basic authentication "
          + "cannot send.")
    }
    bytes = Array("\(user):\(password)".utf8)
  }

  /// The `Authorization` field.
  package var field: HTTPField { HTTPField("Authorization", "Basic \(Base64.encode(bytes))") }

  private static func refusal(_ message: String) -> GatebookError {
    GatebookError(
      .configurationInvalid, message, kept: "Nothing was sent.",
      remedy: "Check the user name and the password, or use another login method.")
  }
}
