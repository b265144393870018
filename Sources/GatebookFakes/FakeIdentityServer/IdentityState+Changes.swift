internal import Gatebook

extension IdentityState {
  /// An object with the changes of a place.
  func changed(_ object: PlainJSON, _ place: FakeIdentitySettings.Place) -> PlainJSON {
    var object = object
    for (name, text) in (settings.changes[place] ?? [:]).sorted(by: { $0.key < $1.key }) {
      object[name] = text.map { .raw($0) }
    }
    return object
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
