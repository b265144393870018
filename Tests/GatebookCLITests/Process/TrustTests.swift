internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// Servers that are not trusted, and how they come to be.
struct TrustTests {
  private func logIn(_ scene: Scene, _ more: String...) throws -> ChildProcess.Ending {
    try scene.start(
      [
        "login", "liferay", "--server", scene.portal.url, "--company-id", "10154", "--user",
        FakePortalUser.ada.emailAddress, "--password-stdin",
      ] + more, ChildProcess.Streams(input: FakePortalUser.ada.password + "\n")
    ).end()
  }

  @Test func `errors name the defects, the key and what to write`() throws {
    let scene = try Scene(tls: LoopbackTLS(try .selfSigned()))
    for (name, more) in [("error-tls", []), ("error-tls-json", ["--json"])] {
      let ending = try scene.start(
        [
          "login", "http", "--url", scene.portal.url, "--user", "ada", "--password-stdin",
        ] + more, ChildProcess.Streams(input: "x\n")
      ).end()
      #expect(ending.exit == 8)
      try Snapshot.check(Self.error(ending), name, folder: scene.folder)
    }
    #expect(scene.portal.requests.isEmpty)
  }

  /// Without the message about the new book.
  private static func error(_ ending: ChildProcess.Ending) -> String {
    ending.errors.split(separator: "\n").filter { !$0.hasPrefix("Created a new book") }
      .joined(separator: "\n") + "\n"
  }

  @Test func `a key that was compared is accepted, listed, and taken back`() throws {
    let identity = try TestCertificate.selfSigned()
    let scene = try Scene(tls: LoopbackTLS(identity))
    let refused = try logIn(scene)
    #expect(refused.exit == 8)
    #expect(refused.errors.contains("`--accept-key \(identity.pin)`"))
    let accepted = try logIn(scene, "--accept-key", identity.pin)
    #expect(accepted.exit == 0, "\(accepted.errors)")
    for (name, more) in [("trust-list", []), ("trust-list-json", ["--json"])] {
      let list = try scene.start(["trust", "list"] + more).end()
      #expect(list.exit == 0, "\(list.errors)")
      #expect(list.output.contains(identity.pin))
      try Snapshot.check(list.output, name, folder: scene.folder)
    }
    #expect(try scene.run("request", scene.portal.url + "/").exit == 0)
    let other = "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    #expect(try scene.run("trust", "revoke", other).exit == 1)
    #expect(try scene.run("trust", "revoke", "x").exit == 2)
    let revoked = try scene.run("trust", "revoke", identity.pin)
    #expect(revoked.exit == 0)
    #expect(revoked.errors.contains("Only this machine's certificate authorities"))
    #expect(try scene.run("request", scene.portal.url + "/").exit == 8)
    #expect(try scene.run("trust", "list", "--json").output.isEmpty)
  }

  @Test func `other defects are accepted by their names alone`() throws {
    let identity = try TestCertificate.selfSigned(TestCertificate.elsewhere, validity: .expired)
    let scene = try Scene(tls: LoopbackTLS(identity))
    let plain = try logIn(scene, "--accept-key", identity.pin)
    #expect(plain.exit == 8)
    #expect(plain.errors.contains("`--accept-key \(identity.pin)+expired+wrongHost`"))
    #expect(try logIn(scene, "--accept-key", identity.pin + "+wrongHost").exit == 8)
    #expect(try logIn(scene, "--accept-key", identity.pin + "+wrongHost+expired").exit == 0)
  }

  @Test func `a key that changed is never met with the advice to accept it`() throws {
    let former = try TestCertificate.selfSigned()
    let scene = try Scene(tls: LoopbackTLS(former))
    #expect(try logIn(scene, "--accept-key", former.pin).exit == 0)
    try scene.portal.present(LoopbackTLS(try .selfSigned()))
    let request = try scene.run("request", scene.portal.url + "/")
    for ending in [request, try logIn(scene, "--accept-key", former.pin)] {
      #expect(ending.exit == 8)
      #expect(
        ending.errors.contains("Someone may be intercepting the connection"), "\(ending.errors)")
      #expect(ending.errors.contains("gatebook trust revoke"))
      #expect(!ending.errors.contains("--accept-key"))
      #expect(!ending.errors.contains("--ca-file"))
    }
    let why = try scene.run("why").output
    #expect(why.contains("gatebook trust revoke"), "\(why)")
    #expect(!why.contains("--accept-key"), "\(why)")
  }

  @Test func `an account that pins a key is never told to accept one, by an error or by why`()
    throws
  {
    let authority = TestAuthority()
    let identity = try authority.issue()
    let scene = try Scene(tls: LoopbackTLS(identity))
    let root = try authority.certificate.write(to: scene.folder, as: "root").certificate
    #expect(try logIn(scene, "--ca-file", root, "--pin", identity.pin).exit == 0)
    let shown: [TestCertificate] = [
      // The pinned key with an expired certificate; another key; a self-signed certificate.
      try authority.issue(validity: .expired, keyOf: identity), try authority.issue(),
      try .selfSigned(),
    ]
    for certificate in shown {
      try scene.portal.present(LoopbackTLS(certificate))
      for ending in [try scene.run("request", scene.portal.url + "/"), try logIn(scene)] {
        #expect(ending.exit == 8, "\(ending.errors)")
        #expect(!ending.errors.contains("--accept-key"), "\(ending.errors)")
      }
      let why = try scene.run("why").output
      #expect(!why.contains("--accept-key"), "\(why)")
    }
    try scene.portal.present(LoopbackTLS(identity))
    #expect(try scene.run("request", scene.portal.url + "/").exit == 0)
  }

  @Test
  func `a login again keeps the pin and the CA file, and a defect that is accepted drops neither`()
    throws
  {
    let authority = TestAuthority()
    let identity = try authority.issue(TestCertificate.elsewhere)
    let scene = try Scene(tls: LoopbackTLS(identity))
    let root = try authority.certificate.write(to: scene.folder, as: "root").certificate
    let key = identity.pin + "+wrongHost"
    #expect(
      try logIn(scene, "--ca-file", root, "--pin", identity.pin, "--accept-key", key).exit == 0)
    let kept = try scene.run("trust", "list", "--json").output
    for type in ["authorities", "pin", "accepted"] {
      #expect(kept.contains(#""type":"\#(type)""#), "\(kept)")
    }
    for more in [[], ["--accept-key", key], ["--pin", identity.pin], ["--ca-file", root]] {
      let again = try scene.start(
        [
          "login", "liferay", "--server", scene.portal.url, "--company-id", "10154", "--user",
          FakePortalUser.ada.emailAddress, "--password-stdin",
        ] + more, ChildProcess.Streams(input: FakePortalUser.ada.password + "\n")
      ).end()
      #expect(again.exit == 0, "\(more): \(again.errors)")
      #expect(try scene.run("trust", "list", "--json").output == kept, "\(more)")
    }
    // What the person replaces is replaced, and what they want gone is gone.
    #expect(try logIn(scene, "--pin", try TestCertificate.selfSigned().pin).exit == 8)
    #expect(try logIn(scene, "--reset-trust").exit == 8)
    #expect(try logIn(scene, "--reset-trust", "--accept-key", key).exit == 0)
    let left = try scene.run("trust", "list", "--json").output
    #expect(!left.contains("authorities") && !left.contains(#""pin""#), "\(left)")
  }

  @Test func `why fills in the key that it advises to compare`() async throws {
    let identity = try TestCertificate.selfSigned()
    let scene = try Scene(tls: LoopbackTLS(identity))
    #expect(try logIn(scene, "--accept-key", identity.pin, "--label", "ada").exit == 0)
    #expect(try scene.run("trust", "revoke").exit == 0)
    #expect(try scene.run("request", scene.portal.url + "/").exit == 8)
    let line = try scene.printedLogin()
    #expect(line.contains("--account ada --accept-key '\(identity.pin)'"), "\(line)")
    let again = try await scene.paste(line, typing: [FakePortalUser.ada.password])
    #expect(again.exit == 0, "\(line)\n\(again.shown)")
  }

  @Test(arguments: ["--pin", "--accept-key"])
  func `a key that was mistyped at the first login is no key that changed`(_ option: String) throws
  {
    let identity = try TestCertificate.selfSigned()
    let scene = try Scene(tls: LoopbackTLS(identity))
    let ending = try logIn(scene, option, try TestCertificate.selfSigned().pin)
    #expect(ending.exit == 8)
    #expect(ending.errors.contains("does not have the key that was named"), "\(ending.errors)")
    #expect(ending.errors.contains("key \(identity.pin)"))
    #expect(ending.errors.contains("No account was made."))
    #expect(!ending.errors.contains("gatebook trust revoke"))
    let failed = try #require(try BookReader.open(at: scene.book).events(EventFilter()).last)
    let why = try scene.run("why", "\(failed.position)").output
    #expect(why.contains("its key is not the one that was named"), "\(why)")
    #expect(!why.contains("its key has changed"), "\(why)")
    #expect(scene.portal.requests.isEmpty)
  }

  @Test func `the list names the two usual defects as alternatives`() throws {
    let identity = try TestCertificate.selfSigned(TestCertificate.elsewhere)
    let scene = try Scene(tls: LoopbackTLS(identity))
    #expect(try logIn(scene, "--accept-key", identity.pin + "+wrongHost").exit == 0)
    let list = try scene.run("trust", "list").output
    #expect(list.contains("selfSigned or unknownAuthority, wrongHost"), "\(list)")
  }

  @Test func `an authority of one's own, a pin and a client certificate`() throws {
    let authority = TestAuthority()
    let identity = try authority.issue()
    let scene = try Scene(
      tls: LoopbackTLS(identity, clientCertificates: .required(of: [authority.certificate])))
    let root = try authority.certificate.write(to: scene.folder, as: "root")
    let client = try authority.issueClient("ada").write(to: scene.folder, as: "client")
    #expect(try logIn(scene, "--client-cert", client.certificate).exit != 0)
    let without = try logIn(scene, "--ca-file", root.certificate)
    #expect(without.exit == 8)
    #expect(without.errors.contains("client certificate"))
    let failed = try #require(try BookReader.open(at: scene.book).events(EventFilter()).last)
    let why = try scene.run("why", "\(failed.position)").output
    #expect(why.contains("the server asks for a client certificate and got none"), "\(why)")
    #expect(why.contains("Give its file with `--client-cert`"), "\(why)")
    let ending = try logIn(
      scene, "--ca-file", root.certificate, "--pin", identity.pin, "--client-cert",
      client.certificate, "--client-key", client.key)
    #expect(ending.exit == 0, "\(ending.errors)")
    let list = try scene.run("trust", "list", "--json").output
    for type in ["authorities", "pin", "client"] { #expect(list.contains(#""type":"\#(type)""#)) }
  }

  @Test(arguments: [
    ["--accept-key", "sha256/short"], ["--pin", "sha1/x"], ["--client-key", "/dev/null"],
    ["--accept-key", "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=+wrongHots"],
    ["--accept-key", "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=expired"],
    ["--accept-key", "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=+"],
    ["--ca-file", "/none/such"], ["--client-cert", "/none/such"],
  ])
  func `what cannot be trusted so is 2`(_ more: [String]) throws {
    let scene = try Scene()
    let ending = try scene.start(
      ["login", "http", "--url", "https://127.0.0.1:9/", "--user", "ada"] + more
    ).end()
    #expect(ending.exit == 2, "\(ending.errors)")
  }

  @Test func `a key is not accepted of a server without TLS`() throws {
    let scene = try Scene()
    let ending = try logIn(
      scene, "--accept-key", "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
    #expect(ending.exit == 2)
    #expect(scene.portal.requests.isEmpty)
  }
}
