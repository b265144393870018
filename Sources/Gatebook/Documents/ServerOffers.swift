internal import GatebookAuthentication

/// What an authorization server lists in its metadata for people to choose from (RFC 8414
/// section 2).
package struct ServerOffers: Hashable, Sendable {
  /// `grant_types_supported`; `nil` if the server says nothing of them.
  private let grants: [String]?
  /// Whether it has an endpoint for codes that are entered on another device.
  private let hasDeviceEndpoint: Bool
  /// `scopes_supported`, as the server writes them; empty if it lists none.
  package let scopes: [String]

  /// Reads metadata; `nil` for what is none.
  package init?(_ body: [UInt8]) {
    guard let members = JSONDocument.read(body)?.object, members["issuer"]?.text != nil else {
      return nil
    }
    grants = members["grant_types_supported"]?.list?.compactMap(\.text)
    hasDeviceEndpoint = members["device_authorization_endpoint"]?.text != nil
    scopes = members["scopes_supported"]?.list?.compactMap(\.text) ?? []
  }

  /// Whether it lists the password grant (RFC 6749 section 4.3).
  package var listsPassword: Bool { grants?.contains("password") ?? false }

  /// Whether it lists codes that are entered on another device (RFC 8628 section 4: the endpoint
  /// is what says so; many servers do not repeat it among the grants).
  package var listsDeviceCodes: Bool {
    hasDeviceEndpoint && grants?.contains(Self.deviceGrant) ?? true
  }

  private static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"
}

extension Documents {
  /// What a server lists of itself, as the book last read it; nothing is sent.
  ///
  /// - Parameters:
  ///   - issuer: The server.
  ///   - trust: What its description was read with.
  /// - Returns: The lists; `nil` where the book has no description of it.
  func offers(of issuer: Issuer, trust: Trust) -> ServerOffers? {
    issuer.descriptions.lazy.compactMap { url in
      self.known(PublishedDocuments.Line(url: url, trust: trust)).flatMap { ServerOffers($0.body) }
    }.first
  }

  private func known(_ line: PublishedDocuments.Line) -> HTTPReply? {
    let passage = published.judge(
      line, .always, stored: stored(line), at: ledger.clock.now().wall)
    return if case .recalled(let reply) = passage { reply } else { nil }
  }
}
