internal import COpenSSL

/// The bytes shared by all copies of one ``Secret``, wiped with the last of them.
// Unchecked: the bytes change only in `wipe`, which runs when a single reference is left.
package final class SecretStorage: @unchecked Sendable {
  package private(set) var bytes: [UInt8]

  /// Copies into an array of its own, since one shared with the caller cannot be wiped in place.
  package init(copying source: some Collection<UInt8>) {
    let count = source.count
    bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = buffer.initialize(fromContentsOf: source)
    }
  }

  /// Adopts the array and leaves the variable empty.
  package init(taking source: inout [UInt8]) {
    bytes = []
    swap(&bytes, &source)
  }

  deinit {
    wipe()
  }

  /// Overwrites the bytes with zeros by a call that no optimiser may leave out.
  package func wipe() {
    bytes.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
  }
}
