import Testing

@testable import GatebookFakes

@Suite struct ReadingTests {
  @Test(arguments: [
    "null", "true", "false", "0", "-1", "9223372036854775807", #""""#, "[]", "{}",
    #"{"a":[1,{"b":null}],"c":"d\"\\\n\u0001é𝄞"}"#,
  ])
  func `JSON that is read is written the same`(_ text: String) {
    #expect(PlainJSON.read(Array(text.utf8))?.text == text)
  }

  @Test(arguments: [
    (" [ 1 , 2 ]\n", "[1,2]"), (#"{ "a" : { } }"#, #"{"a":{}}"#), (#""\u00e9\/""#, #""é/""#),
    (#""\ud834\udd1e""#, #""𝄞""#), (#""\u0008\u000c\n\r\t""#, #""\b\f\n\r\t""#),
  ])
  func `JSON in another form is read`(_ text: String, _ plain: String) {
    #expect(PlainJSON.read(Array(text.utf8))?.text == plain)
  }

  @Test(arguments: [
    "", " ", "nul", "[1", "{\"a\"}", "{a:1}", "1 2", "\"a", "\"\n\"", "--1", "\"\\x\"",
    "\"\\u12\"", String(repeating: "[", count: 1000),
  ])
  func `what is not JSON is not read`(_ text: String) {
    #expect(PlainJSON.read(Array(text.utf8)) == nil)
  }

  @Test(arguments: [
    ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"),
    ("w6Q6", "ä:"),
  ])
  func `Base64 is read and written by RFC 4648`(_ text: String, _ plain: String) {
    #expect(Base64Text.decode(text) == Array(plain.utf8))
    #expect(Base64Text.encode(plain.utf8) == text)
  }

  @Test func `a member is changed in its place, added at the end, and removed`() {
    var object: PlainJSON = ["b": 1, "a": "x"]
    object["b"] = .raw("1e999")
    object["c"] = [:]
    object["a"] = nil
    object["d"] = nil
    #expect(object.text == #"{"b":1e999,"c":{}}"#)
  }

  @Test(arguments: ["Z", "Zg", "Zg=", "Zg===", "Z===", "Zm9*", "Zm=v", "====", "Zh=="])
  func `what is not Base64 is not read`(_ text: String) {
    #expect(Base64Text.decode(text) == nil)
  }

  @Test func `forms are read field by field`() {
    let request = LoopbackRequest(
      "POST", "/x?a=q%26", fields: ["Content-Type": "application/x-www-form-urlencoded"],
      body: Array("login=us%C3%A9r&password=p%26ss%3Dw%2Brd%20%25+x&a=1&a=2&flag&b=%zz".utf8))
    #expect(request.formValue("login") == "usér")
    #expect(request.formValue("password") == "p&ss=w+rd % x")
    #expect(request.formValues(of: "a") == ["1", "2"])
    #expect(request.formValue("flag")?.isEmpty == true)
    #expect(request.formValue("b") == "%zz")
    #expect(request.formValue("c") == nil)
    #expect(request.queryValue("a") == "q&")
  }

  @Test func `cookies are read in their order`() {
    let request = LoopbackRequest(
      "GET", "/", fields: ["Cookie": "a=1; b=x=y;a=2", "cookie": "c"])
    #expect(request.cookies.map(\.name) == ["a", "b", "a", "c"])
    #expect(request.cookie("a") == "1")
    #expect(request.cookie("b") == "x=y")
    #expect(request.cookie("A") == nil)
  }

  @Test(arguments: [
    ("Basic dXPDqXJAZXjDpG1wbGUuY29tOnDDpDpzcyB3w7ZyZA==", "usér@exämple.com", "pä:ss wörd"),
    ("basic dGVzdDp0ZXN0", "test", "test"), ("Basic Og==", "", ""),
  ])
  func `Basic credentials are read`(_ field: String, _ name: String, _ password: String) throws {
    let request = LoopbackRequest("GET", "/", fields: ["Authorization": field])
    let credentials = try #require(request.basicCredentials)
    #expect(credentials == (name, password))
  }

  @Test(arguments: ["Basic", "Basic dGVzdA==", "Bearer dGVzdDp0ZXN0", "Basic dGVzdDp0ZXN0 x", ""])
  func `what is not Basic is not read as such`(_ field: String) {
    let request = LoopbackRequest("GET", "/", fields: ["Authorization": field])
    #expect(request.basicCredentials == nil)
  }
}
