internal import GatebookAuthentication
internal import Testing

/// One row for each rule about `WWW-Authenticate`.
@Suite struct ChallengeListTests {
  /// One challenge as `scheme token68 name=<value>`.
  private func shown(_ challenges: [AuthenticationChallenge]) -> [String] {
    challenges.map { challenge in
      let parameters = challenge.parameters.map { "\($0.name)=<\($0.value)>" }
      return ([challenge.scheme] + [challenge.token68].compactMap { $0 } + parameters)
        .joined(separator: " ")
    }
  }

  @Test(arguments: [
    (["Basic realm=\"a\""], ["basic realm=<a>"]),
    (["Basic"], ["basic"]), (["Basic,Negotiate"], ["basic", "negotiate"]),
    (["Basic realm=\"a\"", "Negotiate"], ["basic realm=<a>", "negotiate"]),
    (["Negotiate", "Basic realm=\"a\""], ["negotiate", "basic realm=<a>"]),
    (
      ["Digest realm=\"a\", qop=\"auth\"", "nonce=\"n\""], ["digest realm=<a> qop=<auth> nonce=<n>"]
    ),
    (["BASIC REALM=\"A\""], ["basic realm=<A>"]),
    (["Digest stale=TRUE,algorithm=MD5"], ["digest stale=<TRUE> algorithm=<MD5>"]),
    (["Digest a=1, b=2, Basic c=3, d=4"], ["digest a=<1> b=<2>", "basic c=<3> d=<4>"]),
    (
      ["Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\", Basic realm=\"simple\""],
      ["newauth realm=<apps> type=<1> title=<Login to \"apps\">", "basic realm=<simple>"]
    ),
    ([], []), ([""], []), ([" , ,, "], []),
  ])
  func `challenges keep their order and their parameters`(
    _ lines: [String], _ expected: [String]
  ) {
    #expect(shown(ChallengeList.parse(lines)) == expected)
  }

  @Test(arguments: [
    ("Negotiate YII=", ["negotiate YII="]), ("Negotiate aZ09-._~+/==", ["negotiate aZ09-._~+/=="]),
    ("Negotiate  YII== , Basic realm=a", ["negotiate YII==", "basic realm=<a>"]),
    ("Bearer token", ["bearer token"]), ("NTLM a=", ["ntlm a="]), ("NTLM a=b", ["ntlm a=<b>"]),
    ("Negotiate YII=, realm=a", []), ("Negotiate YI I=", []), ("Negotiate Y=I=", []),
    ("Negotiate Y!", []), ("Negotiate =", []), ("Negotiate a b", []),
  ])
  func `one token68 may replace parameters`(_ line: String, _ expected: [String]) {
    #expect(shown(ChallengeList.parse([line])) == expected)
  }

  @Test(arguments: [
    ("Basic , realm=\"x\"", ["basic realm=<x>"]), ("Basic ,,, realm=x,", ["basic realm=<x>"]),
    (",, Basic realm=x", ["basic realm=<x>"]), ("Basic ,, a=b,,c=d", ["basic a=<b> c=<d>"]),
    ("Basic, realm=\"x\"", []), ("Basic, realm=x, Digest a=b", ["digest a=<b>"]),
    ("Negotiate, Basic , realm=x", ["negotiate", "basic realm=<x>"]),
    ("realm=x, Basic a=b", ["basic a=<b>"]),
    ("Basic a = b , c\t=\td", ["basic a=<b> c=<d>"]), ("Basic\ta=b", ["basic a=<b>"]),
    ("Basic a=b, basic=foo", ["basic a=<b> basic=<foo>"]),
    ("Digest a=b, Basic = foo", ["digest a=<b> basic=<foo>"]),
    ("Digest a=b, Basic foo=c", ["digest a=<b>", "basic foo=<c>"]),
  ])
  func `commas and blanks part as the grammar says`(_ line: String, _ expected: [String]) {
    #expect(shown(ChallengeList.parse([line])) == expected)
  }

  @Test(arguments: [
    ("Basic realm=\"a, b=c, Digest d=e\"", ["basic realm=<a, b=c, Digest d=e>"]),
    ("Basic realm=\"\"", ["basic realm=<>"]),
    ("Basic realm=\"a\\\"b\\\\c\\d\"", ["basic realm=<a\"b\\cd>"]),
    ("Basic realm='a'", ["basic realm=<'a'>"]), ("Basic realm='a b'", []),
    ("Basic realm=\"'a'\"", ["basic realm=<'a'>"]),
    ("Basic realm=\"a%20b\"", ["basic realm=<a%20b>"]),
    ("Basic realm=\"=?UTF-8?B?YQ==?=\"", ["basic realm=<=?UTF-8?B?YQ==?=>"]),
    ("Basic realm=\"ü\u{1F511}\"", ["basic realm=<ü\u{1F511}>"]), ("Basic realm=ü", []),
    ("Basic realm=\"a \r\n \t b\"", ["basic realm=<a b>"]), ("Basic a=\"b\r\nc\"", []),
    ("Basic realm=\"a\",\r\n\tb=c", ["basic realm=<a> b=<c>"]),
    ("Basic realm=\"a\tb\"", ["basic realm=<a\tb>"]),
  ])
  func `values are tokens or quoted strings`(_ line: String, _ expected: [String]) {
    #expect(shown(ChallengeList.parse([line])) == expected)
  }

  @Test(arguments: [
    "realm=a, realm=b", "realm=a, REALM=a", "realm=\"a", "realm=\"a\\\"", "realm=a\\b",
    "rea\\lm=a", "realm=\"a\"b", "realm=\"a\" b=\"c\"", "realm=", "realm=\"a\u{0}b\"",
    "realm=\"a\nb\"", "realm=a\"b\"", "=a", "@", "realm=a b", "a=b, c=",
  ])
  func `a faulty challenge goes alone`(_ parameters: String) {
    let lines = ["Negotiate", "Digest x=y, Foo  , \(parameters)", "Basic realm=\"r\", c=d"]
    #expect(
      shown(ChallengeList.parse(lines)) == ["negotiate", "digest x=<y>", "basic realm=<r> c=<d>"])
  }

  @Test func `a faulty first parameter spoils its own challenge only`() {
    let lines = ["Digest a=b, Foo realm=\"x\"y, c=d, Basic e=f"]
    #expect(shown(ChallengeList.parse(lines)) == ["digest a=<b>", "basic e=<f>"])
  }

  /// The sentences of the grammar's notes that no other table has.
  @Test(arguments: [
    // Lines are one list, but what spoils one line ends with it.
    (["Digest a=1", "b=2, Basic c=3", "d=4"], ["digest a=<1> b=<2>", "basic c=<3> d=<4>"]),
    (["Digest a=1", "a=2", "Basic c=3"], ["basic c=<3>"]),
    (["Digest a=\"1, Basic b=2", "Basic c=3"], ["basic c=<3>"]),
    (["Digest", "Basic a=1"], ["digest", "basic a=<1>"]), (["Digest", "a=1"], []),
    (["Digest ", "a=1"], ["digest a=<1>"]), (["a=1", "Digest b=2"], ["digest b=<2>"]),
    // A comma alone ends no challenge, and what follows it says what it is.
    (["Digest a=1,b=2"], ["digest a=<1> b=<2>"]),
    (["Digest a=1,Basic"], ["digest a=<1>", "basic"]),
    (["Digest a=1 , Basic ,b=2"], ["digest a=<1>", "basic b=<2>"]),
    (["Digest a=1, b"], ["digest a=<1>", "b"]), (["Digest a=1, b c"], ["digest a=<1>", "b c"]),
    (["Digest a=1, b c=="], ["digest a=<1>", "b c=="]),
    (["Digest a=1, b c=d"], ["digest a=<1>", "b c=<d>"]),
    // A token68 comes alone and may look like a parameter without a value.
    (["Negotiate a=,Basic b=1"], ["negotiate a=", "basic b=<1>"]),
    (["Negotiate abc def=1, Basic b=1"], ["basic b=<1>"]),
    (["Negotiate abc, def=1, Basic b=1"], ["basic b=<1>"]),
    // Inside quotes, marks are text.
    (["Digest a=\"x\\\", Basic b=\\\"\", c=1"], ["digest a=<x\", Basic b=\"> c=<1>"]),
    (["Digest a=\"\\,\\=\\a\""], ["digest a=<,=a>"]), (["Digest a=\",\""], ["digest a=<,>"]),
    (["Digest a=\"x\\\\\", b=1"], ["digest a=<x\\> b=<1>"]),
    // What proxies ask for has the same grammar.
    (
      ["Basic realm=\"proxy\", Digest realm=\"proxy\", nonce=\"n\""],
      ["basic realm=<proxy>", "digest realm=<proxy> nonce=<n>"]
    ),
  ])
  func `a list is read as it is meant`(_ lines: [String], _ expected: [String]) {
    #expect(shown(ChallengeList.parse(lines)) == expected)
  }

  @Test func `64 challenges count`() {
    let lines = (0..<100).map { "S\($0) a=b, T\($0)" }
    let challenges = ChallengeList.parse(lines)
    #expect(challenges.count == 64)
    #expect(challenges.last?.scheme == "t31")
  }

  @Test func `16 KiB count`() {
    let long = "Long a=\"\(String(repeating: "x", count: (16 << 10) - 9))\""
    #expect(ChallengeList.parse([long]).count == 1)
    #expect(ChallengeList.parse([long + ","]).isEmpty)
    #expect(shown(ChallengeList.parse(["Basic a=b", long, "Digest c=d"])) == ["basic a=<b>"])
  }

  @Test func `a reply tells its challenges`() throws {
    let reply = HTTPReply(
      status: 401,
      fields: [
        HTTPField("www-authenticate", "Negotiate"), HTTPField("Proxy-Authenticate", "Foo"),
        HTTPField("WWW-Authenticate", "Basic realm=\"Members\", charset=\"UTF-8\""),
      ])
    let basic = try #require(reply.challenges.last)
    #expect(reply.challenges.map(\.scheme) == ["negotiate", "basic"])
    #expect(basic.realm == "Members")
    #expect(basic["charset"] == "UTF-8")
    #expect(basic["nonce"] == nil)
  }
}
