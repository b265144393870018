/// A keyed hash that finds a document which a server publishes: it tells nobody else which.
package struct DocumentName: Hashable, Sendable {
  /// 32 bytes.
  let bytes: [UInt8]
}
