internal import Gatebook

extension IdentityState {
  /// An object with the changes of a place.
  func changed(_ object: PlainJSON, _ place: FakeIdentitySettings.Place) -> PlainJSON {
    guard case .object(var members) = object else { return object }
    for (name, text) in (settings.changes[place] ?? [:]).sorted(by: { $0.key < $1.key }) {
      let index = members.firstIndex { $0.name == name }
      guard let text else {
        if let index { members.remove(at: index) }
        continue
      }
      guard let value = PlainJSONReader.read(Array(text.utf8)) else {
        preconditionFailure("The change of \(name) is no JSON.")
      }
      let member = PlainJSON.Member(name: name, value: value)
      if let index { members[index] = member } else { members.append(member) }
    }
    return .object(members)
  }

  /// The parameters of a redirect with its changes.
  func changed(
    _ parameters: [(name: String, value: String)]
  ) -> [(name: String, value: String)] {
    let changes = settings.changes[.redirect] ?? [:]
    let kept = parameters.compactMap { parameter -> (name: String, value: String)? in
      guard let change = changes[parameter.name] else { return parameter }
      return change.map { (parameter.name, $0) }
    }
    let names = parameters.map(\.name)
    let more = changes.sorted { $0.key < $1.key }.compactMap { name, text in
      names.contains(name) ? nil : text.map { (name: name, value: $0) }
    }
    return kept + more
  }
}

extension PlainJSON {
  /// An object with more members behind its own.
  func with(_ more: [Member]) -> PlainJSON {
    guard case .object(let members) = self else { return self }
    return .object(members + more)
  }
}
