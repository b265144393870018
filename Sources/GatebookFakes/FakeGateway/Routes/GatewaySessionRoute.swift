/// `POST /gateway/sessions/session`: what a web application asks the gateway, and a client never.
struct GatewaySessionRoute {
  private let request: LoopbackRequest

  init(_ request: LoopbackRequest) {
    self.request = request
  }

  /// Begins a session without a user.
  func answer(_ state: inout GatewayState) -> LoopbackReply {
    guard request.method == "POST" else { return GatewayPage.wrongMethod(allowed: "POST") }
    let body = PlainJSONReader.read(request.body)
    guard body?["voice"] != nil || body?["aed"] != nil else {
      return GatewayPage.error(400, "A session is for voice or for aed.")
    }
    let session = state.beginSession(of: nil)
    return .json(PlainJSON.named(["sessionid": .string(session.id)]).text)
  }
}
