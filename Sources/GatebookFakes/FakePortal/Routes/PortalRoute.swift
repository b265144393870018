/// One route of a fake portal, or a few that belong together.
protocol PortalRoute {
  /// Answers one request.
  ///
  /// - Parameters:
  ///   - visit: The request; the route notes whom it takes the caller for.
  ///   - state: The portal, held alone for as long as the answer takes.
  /// - Returns: The answer.
  static func answer(_ visit: inout PortalVisit, _ state: inout PortalState) -> LoopbackReply
}
