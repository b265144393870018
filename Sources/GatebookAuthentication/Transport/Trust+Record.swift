package import GatebookEvents

// Whatever else a record holds, a policy would lose it: it could be a restriction.
extension Trust: StoredRecord {
  package static var isClosed: Bool { true }

  /// The policy for the vault; what is as usual is left out.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    authorities = facts.optional("authorities", kept?.authorities, unless: .system)
    client = facts.optional("client", kept?.client)
    exceptions = facts.optional("exceptions", kept?.exceptions, unless: [])
    pins = facts.optional("pins", kept?.pins, unless: [])
  }
}

/// As the path of a file; the machine's own have none.
extension Trust.Authorities: Storable {
  package init?(record: String) { self = .file(record) }

  package var record: String {
    if case .file(let path) = self { path } else { "" }
  }
}

extension KeyHash: Storable {
  package init?(record: String) {
    guard let hash = try? KeyHash(record) else { return nil }
    self = hash
  }

  package var record: String { description }
}

extension TrustException: StoredRecord {
  package static var isClosed: Bool { true }

  /// The exception, as a policy and an event hold it.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    self.init(
      host: try facts.required("host", kept?.host), port: try facts.required("port", kept?.port),
      key: try facts.required("key", kept?.key),
      defects: Set(try facts.required("defects", kept?.defects.sorted)))
  }
}

extension CertificateDefect: Storable {}

extension ClientCertificate: StoredRecord {
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    self.init(
      certificate: try facts.required("certificate", kept?.certificate),
      key: try facts.required("key", kept?.key))
  }
}
