package import GatebookEvents

extension Trust {
  /// Reads what `record` wrote; `nil` for anything else.
  package init?(record: Facts) {
    self.init(authorities: record["authorities"]?.text.map { .file($0) } ?? .system)
    for value in record["pins"]?.list ?? [] {
      guard let pin = KeyHash(record: value) else { return nil }
      pins.append(pin)
    }
    for value in record["exceptions"]?.list ?? [] {
      guard let exception = value.object.flatMap(TrustException.init(record:)) else { return nil }
      exceptions.append(exception)
    }
    if let facts = record["client"]?.object {
      guard let files = ClientCertificate(record: facts) else { return nil }
      client = files
    }
    // Whatever else a record holds, a policy would lose it: it could be a restriction.
    guard self.record == record else { return nil }
  }

  /// The policy for the vault.
  ///
  /// Shape: what is not set is left out, so `system` is empty. `authorities`, a path; `pins`, key
  /// hashes as text; `exceptions`, objects of `host`, `port`, `key` and `defects`; `client`, an object
  /// of the paths `certificate` and `key`.
  package var record: Facts {
    var record = Facts()
    if case .file(let path) = authorities { record["authorities"] = .text(path) }
    if !pins.isEmpty { record["pins"] = .list(pins.map { .text($0.description) }) }
    if !exceptions.isEmpty { record["exceptions"] = .list(exceptions.map { .object($0.record) }) }
    if let client { record["client"] = .object(client.record) }
    return record
  }
}

extension KeyHash {
  fileprivate init?(record: FactValue) {
    guard let text = record.text, let hash = try? KeyHash(text) else { return nil }
    self = hash
  }
}

extension TrustException {
  /// Reads what `record` wrote; `nil` for anything else.
  package init?(record: Facts) {
    guard let host = record["host"]?.text, let port = record["port"]?.integer,
      let key = record["key"].flatMap(KeyHash.init(record:)), let list = record["defects"]?.list
    else { return nil }
    self.init(
      host: host, port: Int(port), key: key,
      defects: Set(list.compactMap { $0.text.flatMap(CertificateDefect.init(rawValue:)) }))
    guard self.record == record else { return nil }
  }

  /// The exception for the vault and for events: `host`, `port`, `key` and the list `defects`.
  package var record: Facts {
    [
      "defects": .list(defects.sorted.map { .text($0.rawValue) }),
      "host": .text(host),
      "key": .text(key.description),
      "port": .integer(Int64(port)),
    ]
  }
}

extension ClientCertificate {
  fileprivate init?(record: Facts) {
    guard let certificate = record["certificate"]?.text, let key = record["key"]?.text
    else { return nil }
    self.init(certificate: certificate, key: key)
  }

  fileprivate var record: Facts {
    ["certificate": .text(certificate), "key": .text(key)]
  }
}
