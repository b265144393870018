extension MobileFirstState {
  /// `POST registration/v1/self`: a key pair becomes a client.
  mutating func register(_ visit: inout FakeMobileFirstRequest) -> LoopbackReply {
    let data: RegistrationData
    do { data = try RegistrationData(visit.request.body) } catch { return refusal(error) }
    let id = nextID("client")
    clients[id] = FakeRegisteredClient(id: id, key: data.key, payload: data.payload)
    visit.clientID = id
    let location = "/mfp/api/registration/clients/\(id)"
    return LoopbackReply(status: 201, fields: ["Location": location])
  }

  /// The answer to data that is not accepted (inferred).
  private func refusal(_ flaw: RegistrationData.Flaw) -> LoopbackReply {
    switch flaw {
    case .invalid: MobileFirstReply.invalidRequest
    case .otherVersion: MobileFirstReply.error("PROTOCOL_MISMATCH_ERROR")
    }
  }

  /// `PUT registration/v1/self/{id}`: what a client registered is changed.
  ///
  /// The change is signed by the key that the client registered (inferred).
  mutating func changeRegistered(_ visit: inout FakeMobileFirstRequest) -> LoopbackReply {
    guard let id = visit.request.rest(below: Route.registeredClient.rawValue),
      let client = clients[id]
    else { return MobileFirstReply.unknownClient }
    visit.clientID = id
    let data: RegistrationData
    do { data = try RegistrationData(visit.request.body) } catch { return refusal(error) }
    guard data.key == client.key else { return MobileFirstReply.invalidRequest }
    clients[id]?.payload = data.payload
    return .json("{}")
  }
}
