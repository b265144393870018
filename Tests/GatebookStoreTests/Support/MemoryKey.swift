import GatebookCrypto
import GatebookEvents
import GatebookStore

/// A master key that the test holds.
struct MemoryKey: KeySource {
  var bytes = [UInt8](repeating: 0x4B, count: 32)

  func make(
    for book: BookID, random: any RandomSource
  ) throws(GatebookError) -> (key: Secret, description: KeyDescription) {
    (Secret(bytes), KeyDescription(source: "memory", parameters: [:]))
  }

  func open(_ description: KeyDescription, of book: BookID) throws(GatebookError) -> Secret {
    Secret(bytes)
  }
}
