internal import Gatebook

/// A client's proof of its key (RFC 7523), with MobileFirst's times in milliseconds.
struct FakeClientAssertion {
  /// What an assertion is made for.
  enum Purpose: Hashable, Sendable {
    /// A token for a code, which the assertion repeats as `jti`.
    case token(code: String)
    /// Anything else: no `jti` and no `aud`.
    case other
  }

  /// The only `client_assertion_type`.
  static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
  private static let audience = "az/v1/token"
  private static let leeway = Duration.seconds(300)

  let signed: SignedParts

  /// Reads an assertion; `nil` when it is none.
  init?(_ text: String?, type: String?) {
    guard let text, type == Self.type, let signed = SignedParts(compact: text) else { return nil }
    self.signed = signed
  }

  /// The client that it claims to be from.
  var subject: String? { signed.payload["sub"]?.string }

  /// Whether it proves a client, for a purpose and at a time of the server's own clock.
  ///
  /// That `iss` and `aud` are looked at is inferred.
  func proves(_ client: FakeRegisteredClient, for purpose: Purpose, at now: Timestamp) -> Bool {
    subject == client.id && signed.header["jwk"]?["kid"]?.string == client.id
      && signed.isSigned(by: client.key)
      && client.issuers.contains(signed.payload["iss"]?.string ?? "")
      && isMade(for: purpose) && isTimely(at: now)
  }

  private func isMade(for purpose: Purpose) -> Bool {
    let audience = signed.payload["aud"] ?? .null
    let id = signed.payload["jti"] ?? .null
    return switch purpose {
    case .token(let code): audience == .string(Self.audience) && id == .string(code)
    case .other: audience == .null && id == .null
    }
  }

  private func isTimely(at now: Timestamp) -> Bool {
    guard case .raw(let from)? = signed.payload["iat"], let iat = Int64(from),
      case .raw(let to)? = signed.payload["exp"], let exp = Int64(to)
    else { return false }
    let earliest = Timestamp(rawValue: 0) + .milliseconds(iat) - Self.leeway
    return earliest <= now && now <= Timestamp(rawValue: 0) + .milliseconds(exp)
  }
}

extension MobileFirstState {
  /// The client that the assertion of a form proves, which the visit notes; `nil` when it proves
  /// none.
  func client(
    _ visit: inout FakeMobileFirstRequest,
    for purpose: FakeClientAssertion.Purpose = .other
  ) -> FakeRegisteredClient? {
    let assertion = FakeClientAssertion(
      visit.request.formValue("client_assertion"),
      type: visit.request.formValue("client_assertion_type"))
    guard let assertion, let client = assertion.subject.flatMap({ clients[$0] }),
      assertion.proves(client, for: purpose, at: told)
    else { return nil }
    visit.clientID = client.id
    return client
  }
}
