public import GatebookCrypto
public import GatebookEvents

/// A token for the resources of one scope; opaque to the client.
public struct AccessToken: Sendable, Equatable {
  /// The requested scope, in its normalized form.
  public let scope: String
  /// The scope the server says it granted.
  public let grantedScope: String
  /// The token itself.
  public let value: Secret
  /// When it expires by the wall clock; by the boot clock it may expire earlier, never later.
  public let expiresAt: Timestamp
  /// The flow that requested it.
  public let flow: FlowID
  /// When its request was sent: a life is counted from there.
  package let sent: Moment
  /// How long it lives from then on.
  package let lifetime: Duration

  /// Makes a token from a token answer.
  package init(
    scope: AuthorizationScope, grantedScope: String, value: Secret, sent: Moment,
    lifetime: Duration, flow: FlowID
  ) {
    self.scope = scope.description
    self.grantedScope = grantedScope
    self.value = value
    self.sent = sent
    self.lifetime = lifetime
    self.flow = flow
    expiresAt = sent.wall + lifetime
  }

  /// The value of an `Authorization` field.
  public var asAuthorizationRequestHeader: Secret { Secret("Bearer " + value.text) }

  /// The parameter of a form.
  public var asFormEncodedBodyParameter: Secret {
    Secret(FormEncoding.encode([("access_token", value.text)]))
  }

  /// Whether it can still be used, counted from the moment its request was sent.
  ///
  /// Within one boot the boot clock counts, and the wall clock too: the earlier end wins.
  package func isLive(at now: Moment) -> Bool {
    guard now.wall < expiresAt else { return false }
    // A boot clock that is earlier, or has another ID, belongs to another boot: it says nothing
    // then.
    let isSameBoot = now.bootID == sent.bootID || now.bootID == nil || sent.bootID == nil
    return !isSameBoot || now.boot < sent.boot || now.boot < sent.boot + lifetime
  }
}

extension AccessToken: Discreet {
  /// The scope; never the token.
  public var description: String { "<token: \(scope)>" }
}

extension AccessToken: StoredRecord {
  /// The token, and what it was granted for.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    self.init(
      scope: AuthorizationScope(try facts.required("scope", kept?.scope)),
      grantedScope: try facts.required("granted", kept?.grantedScope),
      value: try facts.required("value", kept?.value),
      sent: Moment(
        wall: try facts.required("wall", kept?.sent.wall),
        boot: try facts.required("boot", kept?.sent.boot),
        bootID: facts.optional("bootID", kept?.sent.bootID)),
      lifetime: try facts.required("lifetime", kept?.lifetime),
      flow: try facts.required("flow", kept?.flow))
  }
}

/// A scope as the token map knows it: its elements, each once, in one order.
///
/// Source: section 3 of the protocol: the elements split on white space, sorted. Equal scopes share
/// one token, however they were written.
package struct AuthorizationScope: Hashable, Sendable, CustomStringConvertible {
  /// The elements in ascending order of their bytes, parted by one blank; empty for the default
  /// scope.
  package let description: String

  /// Normalises a scope; `nil` is the default scope.
  package init(_ text: String?) {
    let elements = (text ?? "").utf8.split { byte in
      byte.isBlank || (0x0A...0x0D).contains(byte)
    }
    description = Set(elements.map { Array($0) })
      .sorted { $0.lexicographicallyPrecedes($1) }.map(\.text).joined(separator: " ")
  }
}

extension HTTPRequest {
  /// The request with a token; without one, the field that the app set itself stays.
  package func carrying(_ token: AccessToken?) -> HTTPRequest {
    guard let token else { return self }
    return replacing(HTTPField("Authorization", token.asAuthorizationRequestHeader.text))
  }
}
