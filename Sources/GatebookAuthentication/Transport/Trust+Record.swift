package import GatebookEvents

extension Trust {
  /// Reads what `record` wrote; `nil` for anything else.
  package init?(record: Facts) {
    self = record["authorities"]?.text.map { .authorities(file: $0) } ?? .system
  }

  /// The trust for the vault.
  package var record: Facts {
    guard case .authorities(let file) = self else { return [:] }
    return ["authorities": .text(file)]
  }
}
