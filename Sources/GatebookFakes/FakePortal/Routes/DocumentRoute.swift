/// `GET /documents/{id}`: a file that only a logged-in session cookie opens.
enum DocumentRoute: PortalRoute {
  static func answer(_ visit: inout PortalVisit, _ state: inout PortalState) -> LoopbackReply {
    guard ["GET", "HEAD"].contains(visit.request.method) else {
      return PortalPage.error(405, "A document is read with GET.")
    }
    let userID = state.session(of: visit.request)?.userID
    visit.recognise(userID, by: .session)
    guard let user = state.user(userID) else {
      return PortalPage.error(403, "You do not have permission to read this document.")
    }
    let id = visit.request.path.dropFirst("/documents/".count)
    return .text(
      "Document \(id) of the \(PortalPage.name), read by user \(user.userID).\n",
      fields: ["Content-Disposition": "attachment; filename=\"\(id).txt\""])
  }
}
