/// `POST /o/oauth2/revoke`: takes a token back (RFC 7009); there only by switch (inferred: the path).
enum RevokeRoute: PortalRoute {
  static func answer(_ visit: inout PortalVisit, _ state: inout PortalState) -> LoopbackReply {
    guard state.switches.hasRevocation else {
      return PortalPage.error(404, "There is nothing here.")
    }
    guard visit.request.method == "POST" else {
      return PortalPage.error(405, "Tokens are taken back with POST.")
    }
    do {
      let application = try TokenClient.identify(visit.request, state.oauth2)
      // RFC 7009 section 2.2: unknown tokens are answered like any other.
      state.revoke(visit.request.formValue("token"), of: application.clientID)
      return LoopbackReply()
    } catch {
      return error.reply(emptyForBadClient: state.switches.emptyRefusalOfBadClient)
    }
  }
}
