/// `POST registration/v1/self`: a key pair becomes a client.
enum RegistrationRoute: MobileFirstRoute {
  static func answer(
    _ visit: inout MobileFirstVisit, _ state: inout MobileFirstState
  ) -> LoopbackReply {
    guard visit.request.method == "POST" else { return MobileFirstReply.wrongMethod("POST") }
    let data: RegistrationData
    do { data = try RegistrationData(visit.request.body) } catch { return refusal(error) }
    let id = state.nextID("client")
    state.clients[id] = RegisteredClient(id: id, key: data.key, payload: data.payload)
    visit.clientID = id
    let location = "/\(state.application.context)/api/registration/clients/\(id)"
    return LoopbackReply(status: 201, fields: ["Location": location])
  }

  /// What is told about data that is not accepted (inferred).
  static func refusal(_ flaw: RegistrationData.Flaw) -> LoopbackReply {
    switch flaw {
    case .invalid: MobileFirstReply.invalidRequest
    case .otherVersion: MobileFirstReply.error("PROTOCOL_MISMATCH_ERROR")
    }
  }
}
