package import GatebookEvents

extension HTTPURL: StoredText {}
extension Issuer: StoredText {}

/// As its URL; of any other URL there its origin counts.
extension Origin: Storable {
  package init?(record: String) {
    guard let url = HTTPURL(record) else { return nil }
    self = url.origin
  }

  package var record: String { description }
}

extension HTTPField: StoredRecord {
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    self.init(
      try facts.required("name", kept?.name), try facts.required("value", kept?.value))
  }
}
