extension MobileFirstState {
  /// `POST registration/v1/self`: a key pair becomes a client.
  mutating func register(_ visit: inout FakeMobileFirstRequest) -> LoopbackReply {
    let data: RegistrationData
    do { data = try RegistrationData(visit.request.body) } catch { return refusal(error) }
    let id = nextID("client")
    clients[id] = RegisteredClient(id: id, key: data.key, payload: data.payload)
    visit.clientID = id
    let location = "/\(application.context)/api/registration/clients/\(id)"
    return LoopbackReply(status: 201, fields: ["Location": location])
  }

  /// The answer to data that is not accepted (inferred).
  func refusal(_ flaw: RegistrationData.Flaw) -> LoopbackReply {
    switch flaw {
    case .invalid: MobileFirstReply.invalidRequest
    case .otherVersion: MobileFirstReply.error("PROTOCOL_MISMATCH_ERROR")
    }
  }

  /// `PUT` and `GET registration/v1/self/{id}`: what a client registered is changed or read.
  mutating func answerRegistered(_ visit: inout FakeMobileFirstRequest) -> LoopbackReply {
    let id = rest(of: visit.request, in: "registration/v1/self/")
    guard let client = clients[id] else { return MobileFirstReply.unknownClient }
    visit.clientID = id
    return visit.request.method == "PUT"
      ? change(client, visit) : read(client, visit)
  }

  /// The change is signed by the key that the client registered (inferred).
  private mutating func change(
    _ client: RegisteredClient, _ visit: FakeMobileFirstRequest
  ) -> LoopbackReply {
    let data: RegistrationData
    do { data = try RegistrationData(visit.request.body) } catch {
      return refusal(error)
    }
    guard data.key == client.key else { return MobileFirstReply.invalidRequest }
    clients[client.id]?.payload = data.payload
    return .json("{}")
  }

  /// The assertion is in the query, under the names that it has in forms (inferred).
  private func read(_ client: RegisteredClient, _ visit: FakeMobileFirstRequest) -> LoopbackReply {
    var prover = visit
    let proved = prove(
      visit.request.queryValue("client_assertion"),
      type: visit.request.queryValue("client_assertion_type"), for: .other, &prover)
    guard proved?.id == client.id else { return MobileFirstReply.invalidClient }
    return .json(client.payload)
  }
}
