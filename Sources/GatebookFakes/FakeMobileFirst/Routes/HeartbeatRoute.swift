/// `POST preauth/v1/heartbeat`: keeps a client's checks from ending for inactivity (inferred).
enum HeartbeatRoute: MobileFirstRoute {
  static func answer(
    _ visit: inout MobileFirstVisit, _ state: inout MobileFirstState
  ) -> LoopbackReply {
    guard visit.request.method == "POST" else { return MobileFirstReply.wrongMethod("POST") }
    guard let client = client(&visit, state) else { return MobileFirstReply.invalidClient }
    state.touch(client.states.keys, of: client.id)
    return .json("{}")
  }
}
