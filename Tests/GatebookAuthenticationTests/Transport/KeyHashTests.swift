internal import GatebookEvents
internal import Testing

@testable internal import GatebookAuthentication

struct KeyHashTests {
  // SHA-256 of no bytes, from FIPS 180-4's examples.
  private let text = "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

  @Test
  func `the text form is read and written`() throws {
    let hash = try KeyHash(text)
    #expect(hash.bytes.prefix(4) == [0xe3, 0xb0, 0xc4, 0x42])
    #expect(hash.description == text)
    #expect(hash == KeyHash(of: []))
    #expect(KeyHash(bytes: hash.bytes) == hash)
    #expect(KeyHash(bytes: Array(hash.bytes.dropLast())) == nil)
  }

  @Test(arguments: [
    "", "sha256/", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "SHA256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU",
    "sha256/47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU=",
    "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFV=",
    "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuF=",
    " sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
    "sha256/\u{301}47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "sha256/e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  ])
  func `any other text is a setting to correct`(_ text: String) {
    let failure = #expect(throws: GatebookError.self) { try KeyHash(text) }
    #expect(failure?.code == .configurationInvalid)
  }
}
