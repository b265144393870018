public import GatebookCrypto
public import GatebookEvents

/// A master key made from a passphrase by scrypt (RFC 7914): N = 2^17, r = 8, p = 1, 16 bytes of
/// salt.
///
/// All parameters are recorded, so that they can grow. Making the key takes 128 MiB and about half a
/// second.
public struct Passphrase: KeySource {
  private let ask: @Sendable () throws(GatebookError) -> Secret

  /// Makes a source.
  ///
  /// - Parameter ask: Brings the passphrase; called once for each open.
  public init(_ ask: @escaping @Sendable () throws(GatebookError) -> Secret) {
    self.ask = ask
  }

  /// Makes the key from the passphrase and a fresh salt.
  public func make(
    for book: BookID, random: any RandomSource
  ) throws(GatebookError) -> (key: Secret, description: KeyDescription) {
    let description = KeyDescription(
      source: "passphrase",
      parameters: [
        "blockSize": 8, "cost": 131_072, "parallelism": 1,
        "salt": .text(Hex.encode(random.bytes(16))),
      ])
    return (try open(description, of: book), description)
  }

  /// Makes the key from the passphrase and the recorded parameters.
  public func open(
    _ description: KeyDescription, of book: BookID
  ) throws(GatebookError) -> Secret {
    guard description.source == "passphrase" else {
      throw GatebookError(
        .keyWrong, "The book's key is not made from a passphrase.",
        remedy: "Give the book's own key source: \(description.source).")
    }
    let facts = description.parameters
    guard let salt = facts["salt"]?.text.flatMap({ Hex.decode($0) }),
      let cost = facts["cost"]?.integer, let blockSize = facts["blockSize"]?.integer,
      let parallelism = facts["parallelism"]?.integer,
      // A book from a stranger must not make us allocate without end: 1 GiB at most.
      (2...1 << 20).contains(cost), (1...64).contains(blockSize), (1...16).contains(parallelism),
      cost * blockSize <= 1 << 23
    else {
      throw GatebookError(
        .storageDamaged, "The book's description of its key is damaged.",
        remedy: "Restore the book from a copy.")
    }
    let passphrase = try ask()
    guard !passphrase.isEmpty else {
      throw GatebookError(
        .keyWrong, "The passphrase is empty.", remedy: "Give the book's passphrase.")
    }
    let key = passphrase.withBytes { bytes in
      Scrypt.derive(
        password: bytes, salt: salt, cost: Int(cost), blockSize: Int(blockSize),
        parallelism: Int(parallelism), count: 32)
    }
    guard let key else {
      throw GatebookError(
        .limitExceeded, "There is not enough memory to make the key from the passphrase.",
        remedy: "Free memory, then retry.")
    }
    return Secret(key)
  }
}
