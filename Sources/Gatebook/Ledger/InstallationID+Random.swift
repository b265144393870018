extension InstallationID {
  /// Makes the identity of a new installation; keep its `description` for the next run.
  ///
  /// - Parameter random: Where the bytes come from, such as `SystemRandom()`.
  public init(random: any RandomSource) {
    let bytes = random.bytes(16)
    self.init(
      high: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
      low: bytes.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }
}
