public import GatebookEvents

/// What a book records unencrypted about its master key: the kind of source, and how to find the
/// key there.
///
/// It never contains the key.
public struct KeyDescription: Hashable, Sendable {
  /// The kind of source: `file`, `passphrase`, `secret-service`, or a name that an app's own source
  /// has chosen.
  public let source: String
  /// How to find the key again, such as a path or a salt.
  public let parameters: Facts

  /// Makes a description.
  public init(source: String, parameters: Facts) {
    self.source = source
    self.parameters = parameters
  }
}

extension KeyDescription {
  private static let formerName = "former"

  /// Where the key was before it moved here and may still be, the last place first.
  package var formers: [KeyDescription] {
    (parameters[Self.formerName]?.list ?? []).compactMap { place in
      guard let facts = place.object, let source = facts["source"]?.text else { return nil }
      return KeyDescription(source: source, parameters: facts["parameters"]?.object ?? [:])
    }
  }

  /// The same place without the note where the key was before.
  package var place: KeyDescription { with(formers: []) }

  /// The same place with a note where the key was before; this place itself is left out of it.
  func with(formers: [KeyDescription]) -> KeyDescription {
    var facts = parameters
    facts[Self.formerName] = nil
    let place = KeyDescription(source: source, parameters: facts)
    var noted: [KeyDescription] = []
    for former in formers.map(\.place) where former != place && !noted.contains(former) {
      noted.append(former)
    }
    guard !noted.isEmpty else { return place }
    facts[Self.formerName] = .list(
      noted.map { former in
        .object(["parameters": .object(former.parameters), "source": .text(former.source)])
      })
    return KeyDescription(source: source, parameters: facts)
  }
}
