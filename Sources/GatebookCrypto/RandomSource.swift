/// Where unpredictable bytes come from.
public protocol RandomSource: Sendable {
  /// Fresh bytes, fit for keys and nonces; a count of zero gives none.
  func bytes(_ count: Int) -> [UInt8]
}
