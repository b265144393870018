/// `PUT` and `GET registration/v1/self/{id}`: what a client registered is changed or read.
enum RegisteredClientRoute: MobileFirstRoute {
  static func answer(
    _ visit: inout MobileFirstVisit, _ state: inout MobileFirstState
  ) -> LoopbackReply {
    guard ["GET", "PUT"].contains(visit.request.method) else {
      return MobileFirstReply.wrongMethod("GET, PUT")
    }
    let id = String(visit.path.dropFirst("registration/v1/self/".count))
    guard let client = state.clients[id] else { return MobileFirstReply.unknownClient }
    visit.clientID = id
    return visit.request.method == "PUT"
      ? change(client, visit, &state) : read(client, visit, state)
  }

  /// The change is signed by the key that the client registered (inferred).
  private static func change(
    _ client: RegisteredClient, _ visit: MobileFirstVisit, _ state: inout MobileFirstState
  ) -> LoopbackReply {
    let data: RegistrationData
    do { data = try RegistrationData(visit.request.body) } catch {
      return RegistrationRoute.refusal(error)
    }
    guard data.key == client.key else { return MobileFirstReply.invalidRequest }
    state.clients[client.id]?.payload = data.payload
    return .json("{}")
  }

  /// The assertion stands in the query, under the names that it has in forms (inferred).
  private static func read(
    _ client: RegisteredClient, _ visit: MobileFirstVisit, _ state: MobileFirstState
  ) -> LoopbackReply {
    var prover = visit
    let proved = prove(
      visit.request.queryValue("client_assertion"),
      type: visit.request.queryValue("client_assertion_type"), for: .other, &prover, state)
    guard proved?.id == client.id else { return MobileFirstReply.invalidClient }
    return .json(client.payload.text)
  }
}
