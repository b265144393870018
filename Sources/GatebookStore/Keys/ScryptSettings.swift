package import GatebookCrypto
package import GatebookEvents

/// What a password's key or hash is derived with, by scrypt (RFC 7914).
///
/// N = 2^17, r = 8, p = 1 are the costs that OWASP's Password Storage Cheat Sheet names first. They
/// are kept with what was derived, so that they can grow.
package struct ScryptSettings: Equatable, Sendable, StoredRecord {
  package let salt: [UInt8]
  private let cost: Int64
  private let blockSize: Int64
  private let parallelism: Int64

  /// How many bytes are derived.
  package static let count = 32

  /// Today's costs, with 16 random bytes of the password's own.
  package init(salt: [UInt8]) {
    self.salt = salt
    (cost, blockSize, parallelism) = (1 << 17, 8, 1)
  }

  /// The settings, as they are kept; costs that nobody would set are refused.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    blockSize = try facts.required("blockSize", kept?.blockSize)
    cost = try facts.required("cost", kept?.cost)
    parallelism = try facts.required("parallelism", kept?.parallelism)
    let salt = Hex.decode(try facts.required("salt", kept.map { Hex.encode($0.salt) }))
    // A book from a stranger must not make us allocate without end: 1 GiB at most.
    guard let salt, (2...1 << 20).contains(cost), (1...64).contains(blockSize),
      (1...16).contains(parallelism), cost * blockSize <= 1 << 23
    else { throw Unreadable() }
    self.salt = salt
  }

  /// Derives the bytes; `nil` when the machine has not the memory for it.
  ///
  /// It takes 128 MiB and about half a second.
  ///
  /// - Parameter password: The password, byte for byte as it is typed.
  /// - Returns: The bytes.
  package func derive(_ password: Secret) -> [UInt8]? {
    password.withBytes { bytes in
      Scrypt.derive(
        password: bytes, salt: salt, cost: Int(cost), blockSize: Int(blockSize),
        parallelism: Int(parallelism), count: Self.count)
    }
  }
}
