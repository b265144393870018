internal import GatebookCrypto
internal import Glibc
internal import Testing

struct SecretTests {
  // Not private: the text of a private type has an address in it, with any digits.
  struct Login {
    let name = "alice"
    let password: Secret
  }

  @Test
  func `no text shows a secret`() {
    let secret = Secret("hunter2")
    var dumped = ""
    dump(secret, to: &dumped)
    var printed = ""
    print(secret, terminator: "", to: &printed)
    #expect(printed == "<secret>")
    #expect("\(secret)" == "<secret>")
    #expect(String(describing: secret) == "<secret>")
    #expect(String(reflecting: secret) == "<secret>")
    #expect(dumped == "- <secret>\n")
    #expect(Mirror(reflecting: secret).children.isEmpty)
  }

  @Test
  func `no text of a value shows the secret inside`() {
    let login = Login(password: Secret("hunter2"))
    var dumped = ""
    dump([login], to: &dumped)
    for text in ["\(login)", String(reflecting: [login]), "\([login.password as Any])", dumped] {
      #expect(text.contains("<secret>"))
      #expect(!text.contains("hunter2"))
      #expect(!text.contains("104"), "The first byte as a number.")
    }
  }

  @Test
  func `a secret lends its bytes`() {
    #expect(Secret([1, 2, 3]).withBytes { $0 } == [1, 2, 3])
    #expect(Secret("pässword").withBytes { String(decoding: $0, as: UTF8.self) } == "pässword")
    #expect(Secret("pässword").count == 9)
    #expect(!Secret("pässword").isEmpty)
    #expect(Secret("").isEmpty)
    #expect(Secret([]).count == 0)
  }

  @Test
  func `a failure inside passes through with its type`() {
    struct Refused: Error {}
    #expect(throws: Refused.self) {
      try Secret("hunter2").withBytes { _ throws(Refused) in throw Refused() }
    }
  }

  @Test
  func `secrets are equal when their bytes are`() {
    #expect(Secret("hunter2") == Secret(Array("hunter2".utf8)))
    #expect(Secret("hunter2") != Secret("hunter3"))
    #expect(Secret("hunter2") != Secret("hunter"))
    #expect(Secret("") == Secret([]))
  }

  @Test
  func `a secret keeps bytes of its own`() {
    var source = [UInt8](1...40)
    let secret = Secret(source)
    let address = source.withUnsafeBytes { $0.baseAddress }
    let isShared = secret.withBytes { $0.withUnsafeBytes { $0.baseAddress } } == address
    #expect(!isShared)
    source[0] = 99
    #expect(secret == Secret([UInt8](1...40)))
  }

  @Test
  func `bytes that are taken over are not copied`() {
    var source = [UInt8](1...40)
    let address = source.withUnsafeBytes { $0.baseAddress }
    let secret = Secret(taking: &source)
    #expect(source.isEmpty)
    #expect(secret.withBytes { $0.withUnsafeBytes { $0.baseAddress } } == address)
    #expect(secret == Secret([UInt8](1...40)))
  }

  @Test
  func `wiping happens in place`() {
    let storage = SecretStorage(copying: [UInt8](1...40))
    let address = storage.bytes.withUnsafeBytes { $0.baseAddress }
    storage.wipe()
    #expect(storage.bytes == bytes(0, times: 40))
    #expect(storage.bytes.withUnsafeBytes { $0.baseAddress } == address)
  }

  @Test
  func `the memory of a dropped secret no longer holds it`() throws {
    let memory = open("/proc/self/mem", O_RDONLY)
    try #require(memory >= 0)
    defer { close(memory) }
    let count = 600
    var seen = bytes(0, times: count)
    let pattern = SystemRandom().bytes(count)
    var secret: Secret? = Secret(pattern)
    var copy = secret
    let address = try #require(
      copy?.withBytes { $0.withUnsafeBytes { $0.baseAddress.map { Int(bitPattern: $0) } } })
    secret = nil
    #expect(pread(memory, &seen, count, address) == count)
    #expect(seen == pattern, "A copy is still there.")
    seen = bytes(0, times: count)
    copy = nil
    // Fails without harm if the allocator gave the page back. Otherwise the bytes are zeros, or
    // another allocation's by now, of which one in 256 agrees by chance.
    _ = pread(memory, &seen, count, address)
    let left = zip(seen, pattern).count { $0 == $1 }
    #expect(left < count / 10)
  }
}
