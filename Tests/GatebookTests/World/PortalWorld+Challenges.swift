import Gatebook
import GatebookFakes

extension FakePortalFront {
  /// A server in front of the portal that asks by these schemes.
  static func gate(_ schemes: Scheme...) -> FakePortalFront {
    FakePortalFront(
      realm: "The gate", name: "gate", password: "front door word", schemes: schemes)
  }
}

extension ChallengeCredential {
  /// What the front wants to hear.
  static func gate(_ persistence: Persistence = .none) -> ChallengeCredential {
    ChallengeCredential(
      user: "gate", password: Secret("front door word"), persistence: persistence)
  }

  /// What the front does not take.
  static func wrong(_ persistence: Persistence = .none) -> ChallengeCredential {
    ChallengeCredential(
      user: "gate", password: Secret("wrong door word"), persistence: persistence)
  }
}

extension PortalWorld {
  /// A world with somebody in front of the portal and somebody who decides.
  static func gated(
    _ schemes: FakePortalFront.Scheme = .basic, _ resolver: (any ChallengeResolver)? = nil
  ) async throws -> PortalWorld {
    let world = try await PortalWorld()
    world.portal.switches.front = .gate(schemes)
    if let resolver { await world.book.register(resolver) }
    return world
  }

  /// How often the front was sent the credential that it does not take, by Basic.
  func wrongAnswers() -> Int {
    let field = "Basic " + Base64.encode(Array("gate:wrong door word".utf8))
    return portal.requests.filter { $0.request.fields["Authorization"] == field }.count
  }
}
