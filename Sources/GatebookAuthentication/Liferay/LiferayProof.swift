/// A session at a portal, whose credentials go nowhere else.
package protocol LiferayProof: SessionProof {
  /// The portal.
  var portal: LiferayPortal { get }
}

extension LiferayProof {
  /// The portal's.
  package var origin: Origin { portal.server.origin }

  /// A 401, or a web service's answer that the caller is a guest.
  package func judge(_ reply: HTTPReply, to request: HTTPRequest) -> SessionVerdict {
    portal.verdict(on: reply, to: request)
  }
}

extension LiferayPortal {
  /// What the portal's own answers say of a session, whatever its kind.
  func verdict(on reply: HTTPReply, to request: HTTPRequest) -> SessionVerdict {
    guard space.contains(request.url) else { return .unaffected }
    let isLost =
      reply.status == 401 || (isWebService(request.url) && LiferayAnswer.isAuthorityLost(reply))
    return isLost ? .authorityLost : .unaffected
  }
}
